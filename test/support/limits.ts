import type { TransitionLimit } from '@laurel/leaderboard';
import type { Redis } from 'ioredis';
import { ManualClock } from './clock';
import type { LawfulLedger, LawfulTransition } from './lawful-ledger';
import { keptLedger } from './ledger';

type OwnLimit = Extract<TransitionLimit, { type: 'own' }>;

/** A limit of a caller's own: grants are at least so many milliseconds apart. */
export const spaced = (apartMs: number, per: OwnLimit['per'] = 'member'): OwnLimit => ({
  ...{ type: 'own', name: 'pause', windowMs: apartMs, per },
  allows: (_, given) => {
    const last = given.at(-1);
    return last ? last.ms + apartMs : true;
  },
  quota: (given) => {
    const last = given.at(-1);
    return { used: given.length, max: 1, allowedAgainAtMs: last ? last.ms + apartMs : null };
  },
});

/** A limit of a caller's own: at most so many grants in ten years. */
export const atMost = (max: number, per: OwnLimit['per'] = 'member'): OwnLimit => ({
  ...{ type: 'own', name: 'at-most', windowMs: 3_650 * 86_400_000, per },
  allows: (_, given) => given.length < max,
});

/** Everything that is under it, on one day. */
export const dailyGrants = (max: number): TransitionLimit => ({ type: 'daily', name: 'day-grants', max, of: 'grants' });

export const dailyPoints = (max: number): TransitionLimit => ({ type: 'daily', name: 'day-points', max, of: 'points' });

/** Noon of the day on which limits are tried; the clock stands two days later. */
export const noonOfLimits = Date.parse('2036-11-20T12:00:00Z');

/** A grant of one point to ann, at noon where nothing else is said. */
export const limitedGrant = (change: Partial<LawfulTransition> = {}): LawfulTransition => ({
  ...{ kind: 'grant', member: 'ann', field: 'p:1', points: 1, occurredAtMs: noonOfLimits },
  ...change,
});

/** A ledger of one board of days, fresh before each test. */
export function ledgerForLimits(redis: Redis) {
  let ledger: LawfulLedger;
  beforeEach(() => {
    const clock = new ManualClock(noonOfLimits + 172_800_000);
    ledger = keptLedger(redis, { clock });
  });
  return {
    get ledger() {
      return ledger;
    },
  };
}
