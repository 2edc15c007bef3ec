import { Ledger, type LedgerOptions, Period, type Transition, type TransitionLimit } from '@laurel/leaderboard';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldNames, ledgerField } from '../support/gifts';
// Private: the twin of a Lua include is compared with it.
import { fullValue, longValue, shortValue } from '../../libs/leaderboard/src/ledger/model/field-value';
import { ManualClock } from '../support/clock';
import { differencesOf } from '../support/differences';
import { keptBoard, rawBoard } from '../support/ledger';
import { sampled } from '../support/sampled';
import { seed } from '../support/seed';
import { dayMs, redisOfProperty } from './histories';

/** Two days before the one that most transitions are of. */
const firstDay = 24_400;
const now = (firstDay + 2) * dayMs + 43_200_000;

const few: TransitionLimit = { type: 'daily', name: 'few', max: 7, count: { of: 'points', fieldPrefixes: ['p:'] } };
const slow: TransitionLimit = { type: 'sliding', name: 'slow', max: 2, windowMs: 7_200_000, per: 'field' };

const subjects = ['article:7', 'article:07', '/articles/7', '/other', 'x'.repeat(60), '#'];

const transition: fc.Arbitrary<Transition> = fc
  .record({
    member: fc.constantFrom('ann', 'bob'),
    subject: fc.constantFrom(...subjects),
    sort: fc.constantFrom('grant', 'grant', 'grant', 'grant', 'revoke', 'dayRevoke', 'limited', 'slow', 'spread'),
    daysAgo: fc.constantFrom(0, 0, 0, 1, 2),
    offset: fc.constantFrom(0, 1, 3_600_000),
    sequence: fc.constantFrom(0, 0, 1, 900_000, 5_000_000),
    points: fc.constantFrom(1, 3, 0, 60, 5_000),
    version: fc.constantFrom(undefined, undefined, 2, 40),
  })
  .map(({ member, subject, sort, daysAgo, offset, sequence, points, version }) => ({
    kind: sort.toLowerCase().includes('revoke') ? 'revoke' : 'grant',
    member,
    // What counts once in several days is judged by another rule, so it has another code.
    field: ledgerField(sort === 'spread' ? 's' : 'p', subject),
    points,
    sequence,
    occurredAtMs: now - offset - daysAgo * dayMs,
    ...(version && { version }),
    ...(sort === 'dayRevoke' && { grantedAtMs: now - daysAgo * dayMs }),
    ...(sort === 'limited' && { limits: [few] }),
    ...(sort === 'slow' && { limits: [slow] }),
    ...(sort === 'spread' && { onceInDays: 2 }),
  }));

describe('the short form of ledgers', () => {
  const own = redisOfProperty();
  let runs = 0;

  const open = async (options: Pick<LedgerOptions, 'fieldNames'>) => {
    runs += 1;
    const prefix = `form${runs}`;
    const clock = new ManualClock(now);
    const boards = [keptBoard('day'), keptBoard('month')];
    const ledger = new Ledger(own.client, { prefix, boards, clock, ledgerRetentionMs: 30 * dayMs, ...options });
    await ledger.prepare();
    return ledger;
  };

  /** All that anyone can read of a ledger. */
  const told = async (ledger: Ledger) => {
    const days = [0, 1, 2].map((n) => Period.of('day', new Date((firstDay + n) * dayMs), 'UTC'));
    const lines = await Promise.all(
      ['ann', 'bob'].flatMap((member) => days.map((day) => ledger.history.lines(member, day))),
    );
    const boards = await Promise.all(days.map((day) => rawBoard(own.client, ledger, 'day', day)));
    // A short name has less of a digest.
    const shown = lines.map((ofDay) =>
      ofDay.map((line) => ({ ...line, field: line.field.replace(/(#.{12}).*/, '$1') })),
    );
    const quotas = await ledger.quotaOf('ann', [{ limit: few }], { counts: [few.count] });
    const differences = await differencesOf(own.client, ledger, {
      countsOn: () => ['p:', 's:'],
      limits: [{ ...slow, fieldPrefixes: ['p:'] }],
      counts: [{ limit: 'few', count: few.count }],
      spread: ['s:'],
    });
    return { shown, boards, quotas, differences };
  };

  it('changes no answer, no line and no board by its names of fields', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(transition, { minLength: 1, maxLength: 10 }), { minLength: 1, maxLength: 5 }),
        async (batches) => {
          const [full, short] = [await open({}), await open({ fieldNames })];
          for (const batch of batches) expect(await short.apply(batch)).toEqual(await full.apply(batch));
          expect(await told(short)).toEqual(await told(full));
          for (const ledger of [full, short]) ledger.close();
          await own.client.flushdb();
        },
      ),
      { numRuns: sampled({ sample: 10, deep: 150, full: 2_000 }), seed },
    );
  });

  it('is read and written alike by scripts and by TypeScript', async () => {
    const file = join(__dirname, '../../libs/leaderboard/src/scripts/ledger/include/short-value.lua');
    const lua = `${readFileSync(file, 'utf8')}
      local replies = {}
      for i = 1, #ARGV, 2 do
        local day = tonumber(ARGV[i])
        replies[i], replies[i + 1] = shortValue(ARGV[i + 1], day), longValue(ARGV[i + 1], day)
      end
      return replies`;
    const value = fc.record({
      points: fc.oneof(fc.nat(60), fc.nat(2_000), fc.nat(1_000_000)),
      version: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 40 })),
      sequence: fc.oneof(fc.constant(0), fc.nat(1_000_000), fc.maxSafeNat()),
      offset: fc.integer({ min: -50_400_010, max: 129_600_010 }),
      day: fc.nat(2_900_000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 200 }), async (drawn) => {
        const values = drawn.map(({ offset, day, ...more }) => ({
          ...more,
          day,
          ms: Math.max(0, day * dayMs + offset),
        }));
        const shorts = values.map((one) => shortValue(one, one.day));
        const shortened = values.flatMap((one) => [one.day, fullValue(one)]);
        const lengthened = values.flatMap((one, i) => [one.day, shorts[i] as string]);
        const there = (await own.client.eval(lua, 0, ...shortened)) as string[];
        const back = (await own.client.eval(lua, 0, ...lengthened)) as string[];
        for (const [i, one] of values.entries()) {
          expect(there[2 * i]).toBe(shorts[i]);
          expect(back[2 * i + 1]).toBe(fullValue(one));
          expect(longValue(shorts[i] as string, one.day)).toBe(fullValue(one));
        }
      }),
      { numRuns: sampled({ sample: 10, deep: 200, full: 2_000 }), seed },
    );
  });
});
