import fc from 'fast-check';
import { Period, type Ledger, type LedgerBoard, type Transition } from '@laurel/leaderboard';
import type { LedgerCount } from '@laurel/leaderboard/internals';
import { ManualClock } from '../support/clock';
import { differencesOf } from '../support/differences';
import { keptBoard, keptLedger, rawBoard } from '../support/ledger';
import { freshPrefix } from '../support/redis';
import { sampled } from '../support/sampled';
import { seed } from '../support/seed';
import { CapsModel, type Cap } from './caps-model';
import { batches, dayMs, histories, momentsOf, ordersOf, redisOfProperty, send } from './histories';

const firstMs = Date.parse('2036-10-30T00:00:00Z');
const now = firstMs + 3 * dayMs;

const pointsOf: Readonly<Record<string, number>> = { 'p:1': 2, 'p:2': 2, 'p:3': 2, 'c:1': 3, 'c:2': 3, 'v:/': 1 };

const history = histories({
  members: ['ann', 'ann', 'bob'],
  worth: pointsOf,
  moment: momentsOf(2, [0, 1, 2, 3, 5, 8, 13, 21, 3_600_000, dayMs - 1], firstMs),
  sequences: [0, 0, 0, 3],
  maxLength: 18,
});

const all = Object.keys(pointsOf).map((field) => field.slice(0, 2));
const capsOfDays: fc.Arbitrary<Cap[]> = fc.subarray<Cap>(
  [
    { name: 'praises', of: 'grants', fieldPrefixes: ['p:'], max: 2 },
    { name: 'points', of: 'points', fieldPrefixes: [...new Set(all)], max: 5 },
    { name: 'comments', of: 'grants', fieldPrefixes: ['c:'], max: 1 },
    { name: 'many', of: 'grants', fieldPrefixes: [...new Set(all)], max: 3 },
  ],
  { minLength: 1 },
);

/** What only comments count on, and what counts grants: other boards than those of the activity that arrives. */
const boards: LedgerBoard[] = [
  keptBoard('day'),
  keptBoard('month'),
  { ...keptBoard('day'), name: 'comments' },
  { ...keptBoard('day'), name: 'day.praised', tallyOf: 'day' },
];
const beginnings = { comments: ['c:'], 'day.praised': ['p:'] };

const atFirst = { kind: 'grant', member: 'ann', points: 2, sequence: 0, occurredAtMs: firstMs } as const;
const [p1, p2, p3] = ['p:1', 'p:2', 'p:3'].map((field) => ({ ...atFirst, field })) as [
  Transition,
  Transition,
  Transition,
];
const revoked = (one: Transition, offsetMs: number, grantedAtMs?: number): Transition => ({
  ...{ ...one, kind: 'revoke', occurredAtMs: firstMs + offsetMs },
  ...(grantedAtMs !== undefined && { grantedAtMs }),
});
const later = (one: Transition, offsetMs: number): Transition => ({ ...one, occurredAtMs: firstMs + offsetMs });
const onePraise: Cap = { name: 'praises', of: 'grants', fieldPrefixes: ['p:'], max: 1 };

/** What was found once, in the order that it was found in. */
const found: readonly (readonly [string, Cap, readonly Transition[]])[] = [
  [
    'seed 911: a day whose first news is a cancel of the day before went on in the order of arrival',
    onePraise,
    [revoked(p1, 8, firstMs + dayMs), later(p2, dayMs + 13), later(p3, dayMs + 5)],
  ],
  [
    'seed 4242: a grant that comes after the revoke of the next day still holds its place on its own',
    onePraise,
    [revoked(p1, dayMs), p1, later(p2, 8)],
  ],
  [
    'likewise one that a cap had refused, where the place comes free',
    onePraise,
    [later(p1, 5), later(p2, 8), revoked(p2, dayMs), revoked(p1, 6, firstMs), later(p3, 10)],
  ],
  [
    'seed 112: what is revoked once more, from a later moment, held its place until then',
    { name: 'points', of: 'points', fieldPrefixes: ['p:'], max: 5 },
    [p3, p1, p2, revoked(p2, 0, firstMs), revoked(p2, dayMs, firstMs)],
  ],
];

describe('caps of a day', () => {
  const own = redisOfProperty();

  const withCaps = (one: Transition, caps: readonly Cap[], counts: readonly LedgerCount[]): Transition => ({
    ...one,
    counts,
    beginnings,
    boards: [
      'day',
      'month',
      ...(one.field.startsWith('c:') ? ['comments'] : one.field.startsWith('p:') ? ['day.praised'] : []),
    ],
    limits: caps
      .filter(({ fieldPrefixes }) => fieldPrefixes.some((prefix) => one.field.startsWith(prefix)))
      .map(({ name, of, fieldPrefixes, max }) => ({ type: 'daily', name, max, count: { of, fieldPrefixes } })),
  });

  const standings = async (ledger: Ledger): Promise<Record<string, unknown>> => {
    const days = [0, 1, 2].map((day) => new Date(firstMs + day * dayMs));
    const periods = boards.flatMap(({ name, period: kind }) => {
      const keys = new Map(days.map((day) => [Period.of(kind, day, 'UTC').key, Period.of(kind, day, 'UTC')]));
      return [...keys.values()].map((period) => ({ name, period }));
    });
    const found = await Promise.all(
      periods.map(async ({ name, period }) => {
        const lines = await rawBoard(own.client, ledger, name, period);
        return lines.map(({ member, score, reachedAtMs }) => [`${name} ${period.key} ${member}`, [score, reachedAtMs]]);
      }),
    );
    return Object.fromEntries(found.flat()) as Record<string, unknown>;
  };

  const audit = (ledger: Ledger, caps: readonly Cap[], heals = false) => {
    const countsOn = (board: string) => beginnings[board as keyof typeof beginnings] ?? null;
    const counts = caps.map(({ name: limit, of, fieldPrefixes, max }) => ({
      limit,
      count: { of, fieldPrefixes, max },
    }));
    return differencesOf(own.client, ledger, { countsOn, counts, heals });
  };

  /**
   * Of the boards every other one is gone, and the others have entries that nothing stands for. Where the first ledgers
   * of the month are gone, so that nobody knows what is too much, all boards are.
   */
  const spoil = async ({ settings: { prefix, ledgerRetentionMs } }: Ledger): Promise<void> => {
    const keys = (await own.client.keys(`{${prefix}:*}:board:*`)).sort();
    for (const [i, key] of keys.entries()) {
      if (ledgerRetentionMs !== null || i % 2 === 0) await own.client.del(key);
      else await own.client.zadd(key, 2 ** 52, 'ann', 2 ** 51, 'eve');
    }
  };

  it('give the same points and times in every order of grants, repetitions and cancels, as one model says, and when rebuilt', async () => {
    const runs = fc.tuple(history, capsOfDays).chain(([set, caps]) => {
      return fc.record({
        set: fc.constant(set),
        caps: fc.constant(caps),
        orders: ordersOf([...set, ...set]),
        batch: batches,
        retention: fc.constantFrom(30 * dayMs, null),
        rebuilds: fc.constantFrom(true, false, false),
      });
    });
    const examples = found.map(([, cap, set]): [typeof runs extends fc.Arbitrary<infer Run> ? Run : never] => [
      { set: [...set], caps: [cap], orders: [[...set], [...set]], batch: 1, retention: null, rebuilds: true },
    ]);
    await fc.assert(
      fc.asyncProperty(runs, async ({ set, caps, orders, batch, retention, rebuilds }) => {
        const counts = caps.map(({ of, fieldPrefixes, max }) => ({ of, fieldPrefixes, max }));
        const model = new CapsModel(caps, boards, beginnings);
        const expected = model.standings(set);
        await Promise.all(
          [1, 8].map(async (shards, i) => {
            const settings = { shards, boards, clock: new ManualClock(now), ledgerRetentionMs: retention };
            const ledger = keptLedger(own.client, { prefix: freshPrefix(), ...settings });
            const order = (orders[i] as Transition[]).map((one) => withCaps(one, caps, counts));
            await send(ledger, order, batch);
            expect(await standings(ledger)).toEqual(expected);
            if (shards === 1) expect(await audit(ledger, caps)).toEqual([]);
            if (shards === 1 && rebuilds) {
              await spoil(ledger);
              await audit(ledger, caps, true);
              expect(await standings(ledger)).toEqual(expected);
              expect(await audit(ledger, caps)).toEqual([]);
              // What was refused stays refused, and nothing else is news.
              const again = await ledger.apply(order);
              expect(again.filter(({ outcome, points }) => outcome === 'granted' || points !== 0)).toEqual([]);
              expect(await standings(ledger)).toEqual(expected);
            }
            ledger.close();
          }),
        );
        await own.client.flushdb();
      }),
      { numRuns: sampled({ sample: 15, deep: 150, full: 1_000 }), seed, examples },
    );
  });
});
