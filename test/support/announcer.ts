import type { StandingsArchive } from '@laurel/activity';
import type { HearSettled } from '@laurel/activity/settlement';
import type { RedisClient } from '@laurel/leaderboard';
// Not by the library's door: processes that tests start need no more of it.
import { Announcer } from '../../libs/activity/src/settlement/announcer';

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
