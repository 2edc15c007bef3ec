import fc from 'fast-check';
import { Ledger, Period, type Transition } from '@laurel/leaderboard';
import { adjustmentField } from '@laurel/leaderboard/internals';
import { auditOf } from '../support/differences';
import { keptBoard } from '../support/ledger';
import { freshPrefix, ManualClock } from '../support';
import { sampled } from '../support/sampled';
import { seed, shuffled } from '../support/seed';
import { FactsModel } from './facts-model';
import { dayMs, entriesOf, redisOfProperty } from './histories';

/** Three years from here; ahead, so that nothing expires. */
const firstMs = Date.parse('2036-12-20T00:00:00Z');
const days = 3 * 365;
const boards = ['day', 'month', 'year', 'all'] as const;
const points: Readonly<Record<string, number>> = { 'praise:1': 2, 'praise:2': 2, 'view:/': 1 };
/** Who is praised, and given a point for each praise of ann's and bob's. */
const owner = 'own';
const members = ['ann', 'bob', 'eva', owner] as const;

/** Few days, so that one meets another, far apart. */
const moment = fc
  .tuple(
    fc.constantFrom(0, 1, 2, 9, 30, 45, 200, 201, 400, 730, 731, days - 1),
    fc.constantFrom(0, 1, 5_000, dayMs - 1),
  )
  .map(([day, offset]) => firstMs + day * dayMs + offset);
const delay = fc.constantFrom(0, 0, 0, 3_600_000, 5 * dayMs, 40 * dayMs, 400 * dayMs, 900 * dayMs);

/** What happens, and when it arrives: once or again, at once or years later. */
const events = fc.array(
  fc
    .record({
      member: fc.constantFrom('ann', 'bob', 'eva'),
      field: fc.constantFrom(...Object.keys(points)),
      sort: fc.constantFrom('grant', 'grant', 'grant', 'revoke', 'dayRevoke', 'adjust'),
      occurredAtMs: moment,
      grantedAtMs: moment,
      delays: fc.array(delay, { minLength: 1, maxLength: 3 }),
      id: fc.nat(9),
      gained: fc.constantFrom(3, 50),
    })
    .map(({ sort, delays, id, gained, ...one }) => {
      const { member, field, occurredAtMs } = one;
      const grantedAtMs = Math.min(one.grantedAtMs, occurredAtMs);
      const own = { member, field, points: points[field] as number, occurredAtMs };
      const transition: Transition =
        sort === 'adjust'
          ? { ...own, kind: 'adjust', field: adjustmentField(`a${id}`), points: gained, note: 'because' }
          : sort === 'grant'
            ? { ...own, kind: 'grant', ...(isGift(own) && { gift: { member: owner, points: 1 } }) }
            : { ...own, kind: 'revoke', ...(sort === 'dayRevoke' && { grantedAtMs }) };
      return { transition, arrivals: delays.map((ms) => occurredAtMs + ms) };
    }),
  { minLength: 4, maxLength: 24 },
);

/** What an operator does on some day: takes all that a member was granted since another, or erases eva. */
const deeds = fc.array(
  fc.record({ atMs: moment, sinceMs: moment, member: fc.constantFrom('ann', 'bob'), erases: fc.boolean() }),
  { maxLength: 2 },
);

const dayOf = (ms: number) => Math.floor(ms / dayMs);

function isGift({ member, field }: { readonly member: string; readonly field: string }): boolean {
  return member !== 'eva' && field.startsWith('praise');
}

const model = new FactsModel({ of: () => ({ once: 1, limits: [], boards: undefined }) }, 'UTC');

const own = redisOfProperty();

const sound = { differences: [], gaps: [] };

/** Each entry of each board equals the model. */
const compare = async (ledger: Ledger, delivered: readonly Transition[]) =>
  expect(await entriesOf(own.client, ledger)).toEqual(model.entries(delivered, ledger));

it('three years of ledgers, most of them packed, add up to what the model says, on boards and in ledgers, whatever came when, and so does everything repeated', async () => {
  const runs = fc.record({
    events,
    deeds,
    shards: fc.constantFrom(1, 3),
    packs: fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }),
  });
  await fc.assert(
    fc.asyncProperty(runs, async ({ events: happened, deeds: done, shards, packs }) => {
      const clock = new ManualClock(firstMs);
      const ledger = new Ledger(own.client, {
        ...{ prefix: freshPrefix(), shards, clock, ledgerRetentionMs: null },
        boards: boards.map((board) => keptBoard(board)),
      });
      await ledger.prepare();
      let packedAtMs = firstMs;
      const pack = async () => {
        packedAtMs = clock.now();
        return ledger.pack();
      };
      // As an app's clock goes on, in which each month is packed in time.
      const advance = async (atMs: number) => {
        for (let isLeft = true; isLeft && atMs - packedAtMs > 30 * dayMs;) {
          clock.set(Math.min(atMs, Math.max(clock.now(), packedAtMs + 30 * dayMs)));
          await pack();
          isLeft = (await own.client.keys('*:ledger:*')).length > 0;
        }
        if (atMs > clock.now()) clock.set(atMs);
        packedAtMs = Math.max(packedAtMs, clock.now() - 30 * dayMs);
      };
      const delivered: Transition[] = [];
      const erased = new Set<string>();
      const isKept = ({ member }: Transition) => !erased.has(member);
      const deliver = async (transition: Transition) => {
        if (isKept(transition)) delivered.push(transition);
        await ledger.apply([transition]);
      };
      const voids = async (member: string, sinceMs: number) => {
        for (const { field, points: worth, grantedAtMs } of await ledger.grants.since(member, sinceMs)) {
          const occurredAtMs = Math.max(clock.now(), grantedAtMs + 1);
          await deliver({ kind: 'revoke', member, field, points: worth, occurredAtMs, grantedAtMs });
        }
      };
      const steps = [
        ...happened.flatMap(({ transition, arrivals }) =>
          arrivals.map((atMs) => ({ atMs, run: () => deliver(transition) })),
        ),
        ...done.map(({ atMs, sinceMs, member, erases }) => ({
          atMs,
          run: async () => {
            if (!erases) return voids(member, sinceMs);
            await ledger.erasure.erase('eva');
            erased.add('eva');
          },
        })),
      ].sort((a, b) => a.atMs - b.atMs);
      for (const [i, { atMs, run }] of steps.entries()) {
        await advance(atMs);
        if (packs[i % packs.length]) await pack();
        await run();
      }
      await compare(ledger, delivered.filter(isKept));
      expect(await auditOf(own.client, ledger)).toEqual(sound);

      await advance(Math.max(clock.now(), firstMs + days * dayMs) + 32 * dayMs);
      await pack();
      expect(await own.client.keys('*:ledger:*')).toEqual([]);
      expect(await ledger.pack()).toBe(0);
      await compareLedgers(ledger, delivered.filter(isKept));
      expect(await auditOf(own.client, ledger)).toEqual(sound);
      // Once more, in another order.
      for (const transition of shuffled(happened.map((one) => one.transition))) await ledger.apply([transition]);
      await compare(ledger, delivered.filter(isKept));
      expect(await auditOf(own.client, ledger)).toEqual(sound);
      await own.client.flushdb();
      ledger.close();
    }),
    { numRuns: sampled({ sample: 2, deep: 12, full: 300 }), seed },
  );
});

/** Each day of each member equals the model, which names no giver of a gift. */
async function compareLedgers(ledger: Ledger, delivered: readonly Transition[]) {
  const [from, to] = [firstMs, firstMs + days * dayMs].map((ms) => Period.of('day', new Date(ms), 'UTC'));
  const histories = await ledger.history.ofMembers(members, from as Period, to as Period);
  const worths = model.worths(delivered);
  members.forEach((member, i) => {
    const found = (histories[i] ?? []).flatMap(({ date, fields }) =>
      fields.flatMap(({ field, points: worth, version }) =>
        version === null ? [] : [`${dayOf(Date.parse(date))} ${field.replace(/^gift:3:.../, 'gift:')} ${worth}`],
      ),
    );
    const stands = worths.filter((one) => one.member === member);
    expect(found.sort()).toEqual(stands.map(({ day, name, points: worth }) => `${day} ${name} ${worth}`).sort());
  });
}
