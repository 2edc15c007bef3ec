import type { HearSettled } from '@laurel/activity/settlement';
import type { Ledger, RedisClient } from '@laurel/leaderboard';
// Private: an instance that tests kill again and again is a process of its own, which needs no more of the module.
import { SettledBoards } from '../../libs/activity/src/settlement/settled-boards';
import { Settler, type SettlerOptions } from '../../libs/activity/src/settlement/settler';

export { SettledBoards };

/** A settler without an archive, with one listener. */
export function settlerWith(redis: RedisClient, ledger: Ledger, hear: HearSettled, more?: Partial<SettlerOptions>) {
  const times = { leaseMs: 60_000, listenerTimeoutMs: 30_000, everyMs: 1_000 };
  return new Settler([ledger], redis, null, { ...times, winners: 3, own: () => [{ name: 'tests', hear }], ...more });
}
