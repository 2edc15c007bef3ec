import fc from 'fast-check';
import type { Redis } from 'ioredis';
import {
  type Ledger,
  type LedgerBoard,
  Period,
  type PeriodSpec,
  type Transition,
  type TransitionLimit,
} from '@laurel/leaderboard';
import type { LedgerCount } from '@laurel/leaderboard/internals';
import { ManualClock } from '../support/clock';
import { keptBoard, keptLedger, rawBoard } from '../support/ledger';
import { freshPrefix } from '../support/redis';
import { spaced } from '../support/limits';
import { sampled } from '../support/sampled';
import { seed } from '../support/seed';
import { redisOfProperty } from './histories';
import { LedgerModel, type ModelEntry } from './ledger-model';

const timezone = 'America/New_York';
/** Two months, two weeks, a change of clocks: 2036-10-29 to 2036-11-04 in New York; ahead, so that nothing expires. */
const firstMs = Date.parse('2036-10-29T04:00:00Z');
const spanMs = 7 * 86_400_000;

const members = ['ann', 'bob', '{x}:b o b\n🙂'];
const fields = ['praise:article:1', 'praise:article:2', 'view:/'];

/** Moments cluster at midnights and repeat, so that edges and ties are met often. */
const moment = fc.oneof(
  fc.integer({ min: 0, max: spanMs - 1 }).map((offset) => firstMs + offset),
  fc
    .integer({ min: 0, max: 6 })
    .chain((day) =>
      fc.constantFrom(-1, 0, 1, 3_600_000).map((offset) => firstMs + day * 86_400_000 + offset + 3_600_000),
    ),
);

/** Short retention: days are looked through one by one. Kept for good: each member's days are listed. */
const retention = fc.constantFrom(30 * 86_400_000, null);

const pointsOf = (field: string): number => (field.startsWith('view') ? 1 : 2);

/** Whose transitions, of what, when. */
interface Crowd {
  readonly member: fc.Arbitrary<string>;
  readonly field: fc.Arbitrary<string>;
  readonly moment: fc.Arbitrary<number>;
}

const crowd: Crowd = { member: fc.constantFrom(...members), field: fc.constantFrom(...fields), moment };

/** So few that days keep one another from counting, and limits refuse what those leave. */
const few: Crowd = {
  member: fc.constant('ann'),
  field: fc.constantFrom('praise:article:1', 'praise:article:2'),
  moment: fc
    .tuple(fc.integer({ min: 0, max: 2 }), fc.constantFrom(0, 1, 3_600_000, 7_200_000))
    .map(([day, offset]) => firstMs + day * 86_400_000 + offset),
};

const transition = (onceInDays: number, { member, field, moment }: Crowd = crowd): fc.Arbitrary<Transition> =>
  fc
    .record({
      member,
      field,
      sort: fc.constantFrom('grant' as const, 'grant' as const, 'revoke' as const, 'dayRevoke' as const),
      occurredAtMs: moment,
      daysBack: fc.integer({ min: 0, max: 3 }),
      sequence: fc.constantFrom(0, 0, 1, 2),
    })
    .map(({ member, field, sort, occurredAtMs, daysBack, sequence }) => ({
      kind: sort === 'grant' ? 'grant' : 'revoke',
      member,
      field,
      points: pointsOf(field),
      occurredAtMs,
      sequence,
      onceInDays,
      ...(sort === 'dayRevoke' ? { grantedAtMs: Math.max(firstMs, occurredAtMs - daysBack * 86_400_000) } : {}),
    }));

/** The periods of a kind that any transition may touch. */
function periodsOf(kind: PeriodSpec): Period[] {
  const periods: Period[] = [];
  const endMs = firstMs + spanMs + 86_400_000;
  let period: Period | null = Period.of(kind, new Date(firstMs - 86_400_000), timezone);
  for (; period && period.start.getTime() < endMs; period = period.next()) periods.push(period);
  return periods;
}

async function standings(redis: Redis, ledger: Ledger): Promise<Record<string, Record<string, ModelEntry>>> {
  const found: Record<string, Record<string, ModelEntry>> = {};
  await Promise.all(
    ledger.settings.boards.flatMap(({ name, period: kind }) =>
      periodsOf(kind).map(async (period) => {
        const lines = await rawBoard(redis, ledger, name, period);
        if (lines.length === 0) return;
        const entries = lines.map(
          ({ member, score, reachedAtMs }) => [member, { points: score, reachedAtMs }] as const,
        );
        found[`${name} ${period.key}`] = Object.fromEntries(entries);
      }),
    ),
  );
  return found;
}

/** With times as the boards keep them: in ticks. */
function inTicks(ledger: Ledger, boards: Record<string, Record<string, ModelEntry>>) {
  const { originMs, tickMs } = ledger.periods.boardPeriod('all', Period.parse('all', 'all', timezone), null).score;
  const tickOf = (ms: number) => originMs + Math.floor((ms - originMs) / tickMs) * tickMs;
  return Object.fromEntries(
    Object.entries(boards).map(([board, entries]) => {
      const inTick = ({ points, reachedAtMs }: ModelEntry) => ({ points, reachedAtMs: tickOf(reachedAtMs) });
      const ticked = Object.entries(entries).map(([member, entry]) => [member, inTick(entry)] as const);
      return [board, board === 'all all' ? Object.fromEntries(ticked) : entries];
    }),
  );
}

describe('a ledger', () => {
  const server = redisOfProperty();

  const toTheMillisecond: LedgerBoard[] = [keptBoard('day'), keptBoard('week'), keptBoard('month')];
  const everyBoard: LedgerBoard[] = [...toTheMillisecond, keptBoard('all')];

  it('ends in the same points and times whatever the order and however often a set of transitions is delivered', async () => {
    const deliveries = fc.constantFrom(1, 1, 1, 2, 3, Infinity).chain((onceInDays) =>
      fc.array(transition(onceInDays), { minLength: 1, maxLength: 14 }).chain((set) =>
        fc.record({
          set: fc.constant(set),
          order: fc.shuffledSubarray([...set, ...set], { minLength: set.length * 2, maxLength: set.length * 2 }),
          batch: fc.integer({ min: 1, max: 8 }),
          shards: fc.constantFrom(1, 4),
          ledgerRetentionMs: retention,
        }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(deliveries, async ({ set, order, batch, shards, ledgerRetentionMs }) => {
        const clock = new ManualClock(firstMs + spanMs + 86_400_000);
        const ledger = keptLedger(server.client, {
          prefix: freshPrefix(),
          shards,
          timezone,
          boards: everyBoard,
          clock,
          ledgerRetentionMs,
        });
        for (let i = 0; i < order.length; i += batch) await ledger.apply(order.slice(i, i + batch));
        const model = new LedgerModel({ timezone, boards: everyBoard, clockSkewMs: 0 });
        for (const one of [...set].sort((a, b) => a.occurredAtMs - b.occurredAtMs)) model.deliver(one, clock.now());
        expect(await standings(server.client, ledger)).toEqual(inTicks(ledger, model.standings()));
      }),
      { numRuns: sampled({ sample: 20, deep: 200, full: 500 }), seed },
    );
  });

  it('answers and stands as the model does, transition after transition, while periods end and limits bite', async () => {
    const boards = [keptBoard('day', 3_600_000), keptBoard('week', 0), keptBoard('month', 86_400_000)];
    const [most, windowMs] = [fc.integer({ min: 1, max: 3 }), fc.constantFrom(1, 3_600_000, 7_200_000, 172_800_000)];
    const daily = (name: string, of: LedgerCount['of'], ...fieldPrefixes: string[]) =>
      most.map((max): TransitionLimit => ({ type: 'daily', name, max, count: { of, fieldPrefixes } }));
    const sliding = (name: string, per: 'member' | 'field' | 'pair') =>
      fc.record({ type: fc.constant('sliding'), name: fc.constant(name), max: most, windowMs, per: fc.constant(per) });
    const limits = fc.tuple(
      daily('few', 'grants', 'praise:'),
      daily('few-of-all', 'grants', 'praise:', 'view:'),
      daily('little', 'points', 'view:', 'praise:'),
      sliding('slow', 'member'),
      sliding('rare', 'field'),
      sliding('friends', 'pair'),
      fc.constant<TransitionLimit>({ type: 'own', name: 'spaced', kind: 'spaced' }),
    );
    const prepared = [{ keys: ['all'], args: [5_400_000] }];
    const runs = fc
      .tuple(fc.constantFrom(1, 1, 2, 3, Infinity), fc.constantFrom(crowd, few))
      .chain(([onceInDays, whose]) =>
        fc.record({
          steps: fc.array(
            fc.record({
              transition: transition(onceInDays, whose),
              counterpart: fc.constantFrom(undefined, 'owner', 'member'),
              waitMs: fc.constantFrom(0, 0, 1, 3_600_000, 30_000_000),
              // A caller without limits, such as an import, leaves no wrong count.
              isUnlimited: fc.constantFrom(false, false, false, false, false, true),
            }),
            { minLength: 1, maxLength: 25 },
          ),
          limits: limits.chain((all) => fc.shuffledSubarray<TransitionLimit>(all)),
          batch: fc.constantFrom(1, 1, 4),
          shards: fc.constantFrom(1, 4),
          ledgerRetentionMs: retention,
        }),
      );
    await fc.assert(
      fc.asyncProperty(runs, async ({ steps, limits: inForce, batch, shards, ledgerRetentionMs }) => {
        const clock = new ManualClock(firstMs);
        const clockSkewMs = 2 * 86_400_000;
        const ledger = keptLedger(server.client, {
          prefix: freshPrefix(),
          shards,
          timezone,
          boards,
          clock,
          clockSkewMs,
          ledgerRetentionMs,
          limitTypes: [spaced],
        });
        const model = new LedgerModel({ timezone, boards, clockSkewMs });
        for (let from = 0; from < steps.length; from += batch) {
          const together = steps.slice(from, from + batch);
          clock.advance(together[0]?.waitMs ?? 0);
          const given = together.map(({ transition: plain, counterpart, isUnlimited }): Transition => ({
            ...plain,
            ...(counterpart !== undefined && { counterpart }),
            ...(!isUnlimited && { limits: inForce, prepared }),
          }));
          const expected = given.map((one) => model.deliver(one, clock.now()));
          const results = await ledger.apply(given);
          expect(
            results.map(({ outcome, points, refusal }) => ({ outcome, points, ...(refusal && { refusal }) })),
          ).toEqual(expected);
        }
        expect(await standings(server.client, ledger)).toEqual(model.standings());
        const counted = inForce.filter((limit) => limit.type === 'daily');
        const asked = counted.length === 0 ? [] : new Set(steps.map(({ transition: { member } }) => member));
        for (const member of asked) {
          await Promise.all(
            periodsOf('day').map(async ({ key, start }) => {
              const questions = counted.map((limit) => ({ limit }));
              const quotas = await ledger.quotaOf(member, questions, { atMs: start.getTime() });
              const expected = counted.map(({ count, max }) => ({ used: model.countOf(count, member, key), max }));
              expect(quotas).toMatchObject(expected);
            }),
          );
        }
      }),
      { numRuns: sampled({ sample: 20, deep: 200, full: 600 }), seed },
    );
  });

  it('judges what counts once for good in its place among the transitions of its member in a call', async () => {
    const boards = [keptBoard('day')];
    const clock = new ManualClock(firstMs);
    const clockSkewMs = spanMs;
    const ledger = keptLedger(server.client, {
      prefix: freshPrefix(),
      shards: 1,
      timezone,
      boards,
      clock,
      clockSkewMs,
    });
    const model = new LedgerModel({ timezone, boards, clockSkewMs });
    const limits: TransitionLimit[] = [
      { type: 'daily', name: 'little', max: 1, count: { of: 'points', fieldPrefixes: ['praise:'] } },
    ];
    const praise = (kind: 'grant' | 'revoke', article: number, day: number): Transition => ({
      ...{ kind, member: 'ann', field: `praise:article:${article}`, points: 2, onceInDays: Infinity, limits },
      occurredAtMs: firstMs + day * 86_400_000,
    });
    const calls = [
      [praise('grant', 2, 2), praise('grant', 1, 1)],
      [praise('grant', 2, 1), praise('revoke', 1, 1)],
    ];
    for (const call of calls) {
      const expected = call.map((one) => model.deliver(one, clock.now()));
      expect(await ledger.apply(call)).toMatchObject(expected);
    }
    expect(await standings(server.client, ledger)).toEqual(model.standings());
  });

  it('answers and stands as the model does while periods are frozen, also those that its clock takes for open', async () => {
    const boards = [keptBoard('day', 86_400_000), keptBoard('week', 0), keptBoard('month', 0)];
    const freezing = fc.record({
      board: fc.constantFrom('day', 'day', 'week', 'month'),
      day: fc.integer({ min: 0, max: 6 }),
    });
    const runs = fc.constantFrom(1, 1, 2, 3, Infinity).chain((onceInDays) =>
      fc.record({
        without: fc.subarray(['week', 'month']),
        steps: fc.array(
          fc.record({
            freeze: fc.option(freezing, { freq: 2 }),
            batch: fc.array(transition(onceInDays), { minLength: 1, maxLength: 4 }),
            waitMs: fc.constantFrom(0, 0, 1, 3_600_000, 30_000_000),
          }),
          { minLength: 1, maxLength: 12 },
        ),
        shards: fc.constantFrom(1, 4),
        ledgerRetentionMs: retention,
      }),
    );
    await fc.assert(
      fc.asyncProperty(runs, async ({ without, steps, shards, ledgerRetentionMs }) => {
        const clock = new ManualClock(firstMs);
        const clockSkewMs = 2 * 86_400_000;
        const own = boards.filter(({ name }) => !without.includes(name));
        const ledger = keptLedger(server.client, {
          prefix: freshPrefix(),
          shards,
          timezone,
          boards: own,
          clock,
          clockSkewMs,
          ledgerRetentionMs,
        });
        const model = new LedgerModel({ timezone, boards: own, clockSkewMs });
        for (const { freeze, batch, waitMs } of steps) {
          clock.advance(waitMs);
          const kind = own.find(({ name }) => name === freeze?.board)?.period;
          if (freeze && kind) {
            const period = Period.of(kind, new Date(firstMs + freeze.day * 86_400_000), timezone);
            await ledger.periods.freeze(freeze.board, period);
            model.freeze(freeze.board, period);
          }
          const expected = batch.map((one) => model.deliver(one, clock.now()));
          const results = await ledger.apply(batch);
          expect(results.map(({ outcome, points }) => ({ outcome, points }))).toEqual(expected);
        }
        expect(await standings(server.client, ledger)).toEqual(model.standings());
      }),
      { numRuns: sampled({ sample: 20, deep: 200, full: 700 }), seed },
    );
  });

  it('gives and takes back points by the terms that granted them, whichever are in force when', async () => {
    const runs = fc.constantFrom(1, 1, 2, Infinity).chain((onceInDays) =>
      fc.record({
        steps: fc.array(fc.record({ plain: transition(onceInDays), version: fc.integer({ min: 1, max: 3 }) }), {
          minLength: 1,
          maxLength: 25,
        }),
        shards: fc.constantFrom(1, 4),
      }),
    );
    await fc.assert(
      fc.asyncProperty(runs, async ({ steps, shards }) => {
        const clock = new ManualClock(firstMs + spanMs + 86_400_000);
        const prefix = freshPrefix();
        const ledgers = [1, 2, 3].map((version) =>
          keptLedger(server.client, {
            prefix,
            shards,
            timezone,
            boards: toTheMillisecond,
            clock,
            terms: `times ${version}`,
          }),
        );
        for (const ledger of ledgers) await ledger.prepare();
        const model = new LedgerModel({ timezone, boards: toTheMillisecond, clockSkewMs: 0 });
        for (const { plain, version } of steps) {
          const one = { ...plain, points: pointsOf(plain.field) * version };
          const [result] = await (ledgers[version - 1] as Ledger).apply([one]);
          expect({ outcome: result?.outcome, points: result?.points }).toEqual(model.deliver(one, clock.now()));
        }
        const [ledger] = ledgers as [Ledger];
        expect(await standings(server.client, ledger)).toEqual(model.standings());
        const days = periodsOf('day');
        for (const member of members) {
          const history = await ledger.history.days(member, days[0] as Period, days.at(-1) as Period);
          for (const { field, points, version } of history.flatMap(({ fields: kept }) => kept)) {
            expect(points).toBe(version === null ? 0 : pointsOf(field) * version);
          }
        }
      }),
      { numRuns: sampled({ sample: 10, deep: 100, full: 300 }), seed },
    );
  });
});
