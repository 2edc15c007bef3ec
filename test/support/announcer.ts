import type { StandingsArchive } from '@laurel/activity';
import type { HearSettled } from '@laurel/activity/settlement';
import type { RedisClient } from '@laurel/leaderboard';
// Private: an instance that tests kill again and again is a process of its own, which needs no more of the module.
import { Announcer } from '../../libs/activity/src/settlement/announcer';
import { RedisArchive } from '../../libs/activity/src/settlement/redis-archive/redis-archive';
import { Settler } from '../../libs/activity/src/settlement/settler';

export { RedisArchive, Settler };

/** An announcer to one listener, as a `Settler` takes it. */
export function announcerTo(
  redis: RedisClient,
  archive: StandingsArchive,
  {
    prefix,
    hear,
    leaseMs = 15_000,
  }: { readonly prefix: string; readonly hear: HearSettled; readonly leaseMs?: number },
): Announcer {
  const listeners = () => [{ name: 'tests', hear }];
  return new Announcer(redis, archive, { prefix, leaseMs, winners: 3, timeoutMs: 30_000, pauseMs: 1_000, listeners });
}
