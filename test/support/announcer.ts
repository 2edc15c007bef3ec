import type { HearSettled } from '@laurel/activity/settlement';
import type { RedisClient } from '@laurel/leaderboard';
// Private: an instance that tests kill again and again is a process of its own, which needs no more of the module.
import { Announcer } from '../../libs/activity/src/settlement/announcer';
import { SettledBoards } from '../../libs/activity/src/settlement/settled-boards';
import { Settler } from '../../libs/activity/src/settlement/settler';

export { SettledBoards, Settler };

/** An announcer to one listener, as a `Settler` takes it. */
export function announcerTo(
  redis: RedisClient,
  {
    prefix,
    hear,
    leaseMs = 15_000,
  }: { readonly prefix: string; readonly hear: HearSettled; readonly leaseMs?: number },
): Announcer {
  const listeners = () => [{ name: 'tests', hear }];
  return new Announcer(redis, { prefix, leaseMs, winners: 3, timeoutMs: 30_000, pauseMs: 1_000, listeners });
}
