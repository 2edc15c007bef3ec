import { Period, type Ledger, type LimitType, type Transition, type TransitionLimit } from '@laurel/leaderboard';
import type { Redis } from 'ioredis';
import { ManualClock } from './clock';
import { keptBoard, keptLedger } from './ledger';
import { freshPrefix } from './redis';

/** A limit of a caller's own: grants of one key are at least so many milliseconds apart. Its arguments: that time. */
export const spaced: LimitType = {
  type: 'spaced',
  check: `
    local last = call('GET', keys[1])
    if last and grant.ms < tonumber(last) + args[1] then return tonumber(last) + args[1] end`,
  take: `call('SET', keys[1], string.format('%d', grant.ms))`,
  quota: `
    local last = call('GET', keys[1])
    if last and grant.ms < tonumber(last) + args[1] then return 1, 1, tonumber(last) + args[1] end
    return 0, 1`,
};

/** A limit of a caller's own: at most so many grants ever. Its arguments: how many. */
export const atMost: LimitType = {
  type: 'at-most',
  check: `if tonumber(call('GET', keys[1]) or 0) >= args[1] then return false end`,
  take: `call('INCR', keys[1])`,
};

/** Everything that begins with one of the prefixes, on one day. */
export const dailyGrants = (max: number, ...fieldPrefixes: string[]): TransitionLimit => ({
  type: 'daily',
  name: 'day-grants',
  max,
  count: { of: 'grants', fieldPrefixes },
});

export const dailyPoints = (max: number, ...fieldPrefixes: string[]): TransitionLimit => ({
  type: 'daily',
  name: 'day-points',
  max,
  count: { of: 'points', fieldPrefixes },
});

/** A limit that lets five grants of two points pass at once, and what its transitions have beside it. */
export interface LimitOfFive {
  readonly limits: readonly TransitionLimit[];
  readonly more?: Pick<Transition, 'counterpart' | 'prepared'>;
  /** Whether revoking a grant lets another pass. */
  readonly isFreed: boolean;
}

const windowMs = 60_000;

/** One of each kind. */
export const limitsOfFive: Readonly<Record<string, LimitOfFive>> = {
  'sliding per member': {
    limits: [{ type: 'sliding', name: 'slow', max: 5, windowMs, per: 'member' }],
    isFreed: false,
  },
  'sliding per pair': {
    limits: [{ type: 'sliding', name: 'pair', max: 5, windowMs, per: 'pair' }],
    more: { counterpart: 'owner' },
    isFreed: false,
  },
  'daily grants': { limits: [dailyGrants(5, 'p:')], isFreed: true },
  'daily grants of everything': { limits: [dailyGrants(5, 'c:', 'p:')], isFreed: true },
  'daily points': { limits: [dailyPoints(10, 'p:')], isFreed: true },
  'of one’s own': {
    limits: [{ type: 'own', name: 'five', kind: 'at-most' }],
    more: { prepared: [{ keys: ['k'], args: [5] }] },
    isFreed: false,
  },
};

/** A grant of one point, or a revoke: its field, and how many ms after noon it occurred. */
export type LimitedLine = `${'grant' | 'revoke'} ${string} at ${number}`;

/** Noon of the day on which limits are tried; the clock stands two days later. */
export const noonOfLimits = Date.parse('2036-11-20T12:00:00Z');

/** A grant of one point to ann, at noon where nothing else is said. */
export const limitedGrant = (change: Partial<Transition> = {}): Transition => ({
  ...{ kind: 'grant', member: 'ann', field: 'p:1', points: 1, occurredAtMs: noonOfLimits },
  ...change,
});

/** What {@link expectFiveOfOneField} expects. */
export const triesOfOneField =
  'of 256 tries of one field over 16 connections, each on a day of its own, exactly five are granted';

/** A field is granted once a day: its limit of five is met on 256 days at once, and by another field's five. */
export async function expectFiveOfOneField(ledgers: readonly Ledger[]): Promise<void> {
  const dayMs = 86_400_000;
  const limits: TransitionLimit[] = [{ type: 'sliding', name: 'often', max: 5, windowMs: 300 * dayMs, per: 'field' }];
  const triesOf = (field: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, async (_, i) => {
        const occurredAtMs = noonOfLimits - i * dayMs;
        const grant: Transition = { kind: 'grant', member: 'ann', field, points: 2, occurredAtMs, limits };
        const [result] = await (ledgers[i % ledgers.length] as Ledger).apply([grant]);
        return result?.outcome;
      }),
    );
  const [ofOne, ofAnother] = await Promise.all([triesOf('p:1', 256), triesOf('p:2', 5)]);
  expect(ofOne.filter((outcome) => outcome === 'granted')).toHaveLength(5);
  expect(ofOne.filter((outcome) => outcome === 'limited')).toHaveLength(251);
  expect(ofAnother).toEqual(Array(5).fill('granted'));
  const [first, last] = [255, 0].map((daysAgo) => {
    return Period.of('day', new Date(noonOfLimits - daysAgo * dayMs), 'UTC');
  }) as [Period, Period];
  const kept = (await (ledgers[0] as Ledger).history.days('ann', first, last)).flatMap(({ fields }) => fields);
  expect(kept.filter(({ field }) => field === 'p:1')).toHaveLength(5);
}

/** A ledger of one board of days, fresh before each test, and what it says. */
export function ledgerForLimits(redis: Redis) {
  let ledger: Ledger;
  beforeEach(() => {
    const clock = new ManualClock(noonOfLimits + 172_800_000);
    ledger = keptLedger(redis, { prefix: freshPrefix(), clock, boards: [keptBoard('day')] });
  });
  return {
    get ledger() {
      return ledger;
    },
    /** What becomes of ann's transitions under limits, in one call, with the limits that refused them. */
    async outcomes(limits: readonly TransitionLimit[], lines: readonly LimitedLine[]): Promise<string[]> {
      const transitions = lines.map((line): Transition => {
        const [, kind, field = '', offsetMs] = /^(grant|revoke) (\S+) at (-?\d+)$/.exec(line) ?? [];
        const occurredAtMs = noonOfLimits + Number(offsetMs);
        return { kind: kind as 'grant' | 'revoke', member: 'ann', field, points: 1, occurredAtMs, limits };
      });
      const results = await ledger.apply(transitions);
      return results.map(({ outcome, reason }) => (reason ? `${outcome} by ${reason}` : outcome));
    },
  };
}
