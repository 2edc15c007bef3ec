import fc from 'fast-check';
import {
  Ledger,
  type LedgerOptions,
  type RedisClient,
  type Transition,
  type TransitionLimit,
} from '@laurel/leaderboard';
import { adjustmentField } from '@laurel/leaderboard/internals';
import { FactsModel } from '../properties/facts-model';
import { dayMs, entriesOf, ordersOf } from '../properties/histories';
import { hourMs, ManualClock } from './clock';
import { differencesOf } from './differences';
import { keptBoard } from './ledger';
import { spaced } from './limits';
import { mentions } from './mentions';
import { MortalRedis } from './mortal-redis';
import { freshPrefix } from './redis';

const timezone = 'America/New_York';
/** Two months, two weeks and a change of clocks. */
export const firstMs = Date.parse('2036-10-29T04:00:00Z');

const boards = [
  ...(['hour', 'day', 'week', 'month', 'all'] as const).map((cut) => keptBoard(cut)),
  { ...keptBoard('day'), name: 'day.praised', tallyOf: 'day' },
  { ...keptBoard('week'), name: 'some', where: [{ partition: 'topic', only: ['one'] }] },
  { ...keptBoard('day'), name: 'others', where: [{ partition: 'topic', except: ['one'] }] },
];

/** What ledgers of histories keep. */
export const kept = { boards, timezone, ledgerRetentionMs: null };

const few = fc.integer({ min: 1, max: 3 });
const windows = fc.constantFrom(1, 2 * hourMs, 30 * hourMs, 80 * hourMs);
const per = fc.constantFrom('member' as const, 'field' as const, 'pair' as const);
const limitsOfFields = fc
  .tuple(
    few.map((max): TransitionLimit => ({ type: 'daily', name: 'few', max, of: 'grants' })),
    few.map((max): TransitionLimit => ({ type: 'daily', name: 'little', max: max * 3, of: 'points' })),
    few.map((max): TransitionLimit => ({ type: 'daily', name: 'standing', max, of: 'standing' })),
    few.map((max): TransitionLimit => ({ type: 'daily', name: 'weekly', max: max + 1, of: 'grants', period: 'week' })),
    fc.record({ type: fc.constant('sliding'), name: fc.constant('slow'), max: few, windowMs: windows, per }),
    per.map((one) => spaced(2 * hourMs, one)),
  )
  .chain((all) => fc.subarray<TransitionLimit>(all, { maxLength: 2 }));

/** Praises and comments are limited, tips count once in so many days, views are limited by nothing and count by id. */
const fields = ['p:1', 'p:2', 'p:3', 'x:1', 'x:2', 'v:1', 'v:2', 'n:1'];
const owners: Readonly<Record<string, string>> = {
  'p:1': 'cid',
  'p:2': 'dan',
  'x:1': 'cid',
  'x:2': 'ann',
  'v:1': 'dan',
};

/** What fields are about, where a grant says so. */
const topics: Readonly<Record<string, string>> = { 'p:1': 'one', 'p:2': 'two', 'x:1': 'one', 'n:1': 'one' };

type Laws = NonNullable<LedgerOptions['laws']>;

const lawsOf = fc
  .record({ once: fc.constantFrom(1, 2, 3, Infinity), limits: limitsOfFields, later: limitsOfFields })
  .map(({ once, limits, later }): Laws => {
    const own = (version: number) => (version === 1 ? limits : later);
    return {
      of: (name, version) => {
        if (name.startsWith('gift:')) return { once: 1, limits: [], boards: ['day', 'month', 'some'] };
        if (name.startsWith('p:')) return { once: 1, limits: own(version), boards: boards.map((board) => board.name) };
        if (name.startsWith('x:')) return { once, limits: own(version), boards: undefined };
        return { once: 1, limits: [], boards: name.startsWith('v:') ? ['day', 'all'] : undefined };
      },
    };
  });

const moment = fc
  .tuple(fc.nat(5), fc.constantFrom(0, 1, hourMs, 2 * hourMs, 5 * hourMs, dayMs - 1))
  .map(([day, offset]) => firstMs + day * dayMs + offset);

const grants = Array<'grant'>(5).fill('grant');
const transition = fc
  .record({
    member: fc.constantFrom('ann', 'ann', 'bob', '{x}:b o b\n🙂'),
    field: fc.constantFrom(...fields),
    sort: fc.constantFrom(...grants, 'revoke', 'dayRevoke', 'adjust', 'id', 'idRevoke', 'hold', 'release'),
    occurredAtMs: moment,
    grantedAtMs: moment,
    sequence: fc.constantFrom(0, 0, 0, 1, 2),
    points: fc.constantFrom(0, 2, 2, 3),
    version: fc.constantFrom(1, 1, 1, 2),
    id: fc.nat(3),
  })
  .map(({ sort, grantedAtMs, id, ...rest }, i = 0): Transition => {
    const { member, field, points } = rest;
    const own = { ...rest, points: field === 'n:1' ? 0 - points : points };
    if (sort === 'adjust') {
      const topic = id > 1 && topics[field];
      const change = { ...own, points: (id % 2 ? 1 : -1) * (points || 1), note: 'because', grantedAtMs, sequence: 0 };
      return {
        ...change,
        ...(topic && { partitions: { topic } }),
        kind: 'adjust',
        field: adjustmentField(`${field}${id}${i}`),
      };
    }
    // Of an id there is one grant.
    const named = { field: `v:${member.charCodeAt(0)}:${id}`, id: `${id}` };
    const idAtMs = firstMs + id * dayMs;
    if (sort === 'id')
      return { ...own, ...named, kind: 'grant', points: 2, version: 1, sequence: 1, occurredAtMs: idAtMs };
    if (sort === 'hold' || sort === 'release')
      return { ...own, ...(id > 1 ? { field: field.slice(0, 2) } : { grantedAtMs }), kind: sort, id: `hold ${id}` };
    if (sort === 'idRevoke') return { ...own, ...named, kind: 'revoke' };
    if (sort !== 'grant') return { ...own, kind: 'revoke', ...(sort === 'dayRevoke' && { grantedAtMs }) };
    const owner = owners[field];
    const isOfOwner = owner !== undefined && owner !== member;
    // What it gives follows from the moment.
    const gift = isOfOwner && { member: owner, points: 1 + (Math.floor(own.occurredAtMs / hourMs) % 2) };
    const topic = id > 0 && topics[field];
    return { ...own, kind: 'grant', ...(topic && { partitions: { topic } }), ...(gift && { gift }) };
  });

/** More givers of one day than the ledger of an owner has room for. */
const crowd = fc
  .array(
    moment.map((ms) => firstMs + dayMs + (ms % (20 * hourMs))),
    { minLength: 140, maxLength: 140 },
  )
  .map((moments) =>
    moments.flatMap((occurredAtMs, i): Transition[] => {
      const own = { member: `giver ${i}`, field: 'p:1', points: 2, version: 1 } as const;
      const grant: Transition = { ...own, kind: 'grant', occurredAtMs, gift: { member: 'cid', points: 1 } };
      return i % 7 > 0 ? [grant] : [grant, { ...own, kind: 'revoke', occurredAtMs: firstMs + 3 * dayMs }];
    }),
  );

/** Of each adjustment and id the first alone: any of them could come first. */
function unlike<T extends Transition>(set: readonly T[]): T[] {
  const seen = new Set<string>();
  return set.filter(({ kind, member, field }) => {
    const id = `${member} ${field}`;
    if (kind !== 'adjust') return true;
    const isNew = !seen.has(id);
    seen.add(id);
    return isNew;
  });
}

const histories = fc
  .tuple(fc.array(transition, { minLength: 1, maxLength: 24 }), fc.option(crowd, { freq: 8 }))
  .map(([some, many]) => unlike([...some, ...(many ?? [])]));

/** A run's own luck: whole numbers below a bound. */
export function luckOf(begin: number): (below: number) => number {
  let state = (begin % 2_147_483_646) + 1;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

export const runs = fc.record({ set: histories, laws: lawsOf }).chain(({ set, laws }) =>
  fc.record({
    set: fc.constant(set),
    laws: fc.constant(laws),
    orders: ordersOf([...set, ...set.slice(0, 12)]),
    luck: fc.nat(),
  }),
);

/** Delivers a history by several processes at once, which crash, and repeat what was not answered. */
async function deliver(
  ledgers: readonly Ledger[],
  hosts: readonly RedisClient[],
  order: readonly Transition[],
  clock: ManualClock,
  luck: (below: number) => number,
): Promise<void> {
  const batches: Transition[][] = [];
  for (let at = 0; at < order.length; at += batches.at(-1)?.length ?? 0) {
    batches.push(order.slice(at, at + 1 + luck(order.length > 99 ? 60 : 5)));
  }
  let crashes = ledgers.length > 1 ? luck(4) : 0;
  // Days pass between calls alone: no host's clock is days behind those of others.
  for (let round = batches.splice(0, 1 + luck(9)); round.length > 0; round = batches.splice(0, 1 + luck(9))) {
    await Promise.all(
      ledgers.map(async (ledger, i) => {
        const host = hosts[i];
        const mortal = host instanceof MortalRedis ? host : undefined;
        for (let batch = round.shift(); batch; batch = round.shift()) {
          if (crashes > 0 && luck(3) === 0) {
            crashes -= 1;
            mortal?.crashAfter(luck(5));
          }
          try {
            await ledger.apply(batch);
            if (luck(8) === 0) await ledger.pack();
            if (luck(4) === 0) await ledger.payOwed(Number.MAX_SAFE_INTEGER);
          } catch (error) {
            if (!mortal?.hasCrashed) throw error;
            batches.splice(luck(batches.length + 1), 0, batch);
          }
          mortal?.comeBack();
        }
      }),
    );
    if (luck(2) === 0 && clock.now() <= firstMs + 77 * dayMs) clock.advance(20 * dayMs);
  }
}

/** What grants of a moment ask for when they are revalued. */
const worthAt = (field: string, { ms }: { readonly ms: number }) => {
  const turn = Math.floor(ms / hourMs) % 3;
  return { points: field === 'n:1' ? -1 : turn + 1, version: 1 + (turn % 2), gift: turn > 0 ? turn : null };
};

/** As if it had been granted with {@link worthAt}. */
function revalued({ gift: before, ...one }: Transition): Transition {
  if (one.kind !== 'grant') return one;
  const { gift, ...worth } = worthAt(one.field, { ms: one.occurredAtMs });
  if (!before) return { ...one, ...worth };
  return { ...one, ...worth, counterpart: before.member, ...(gift && { gift: { ...before, points: gift } }) };
}

/** Revalues all that a history granted; with the history as it is then. */
export async function revalueAll(ledger: Ledger, set: readonly Transition[]) {
  const own = { kind: 'revalue', field: 'all', points: 0, worth: worthAt } as const;
  const days = Array.from({ length: 8 }, (_, day) => firstMs + day * dayMs + hourMs);
  const members = [...new Set(set.map(({ member }) => member))];
  const asked = members.flatMap((member) => days.map((occurredAtMs) => ({ ...own, member, occurredAtMs })));
  return { results: await ledger.apply(asked), set: set.map(revalued) };
}

/** Delivers a history to hosts, and holds boards, `verify`, a repetition and a revaluation to the law. */
export async function holdToLaw(
  { set, laws, luck }: { readonly set: readonly Transition[]; readonly laws: Laws; readonly luck: number },
  order: readonly Transition[],
  hosts: readonly RedisClient[],
  shards: number,
): Promise<void> {
  const [redis] = hosts as [RedisClient];
  const clock = new ManualClock(firstMs + 7 * dayMs);
  const settings = { ...kept, prefix: freshPrefix(), shards, laws, clock };
  const ledgers = hosts.map((client) => new Ledger(client, settings));
  const [ledger] = ledgers as [Ledger];
  for (const one of ledgers) await one.prepare();
  await deliver(ledgers, hosts, order, clock, luckOf(luck));
  await ledger.payOwed(Number.MAX_SAFE_INTEGER);
  const expected = new FactsModel(laws, timezone).entries(set, ledger);
  expect(await entriesOf(redis, ledger)).toEqual(expected);
  clock.advance(40 * dayMs);
  await ledger.pack();
  expect(await differencesOf(redis, ledger)).toEqual([]);
  const again = await ledger.apply(set);
  expect(again.filter(({ outcome, points }) => points !== 0 || outcome === 'granted')).toEqual([]);
  expect(await entriesOf(redis, ledger)).toEqual(expected);
  await revalueAll(ledger, set);
  const { results, set: then } = await revalueAll(ledger, set);
  expect(results.filter(({ outcome }) => outcome === 'granted')).toEqual([]);
  await ledger.payOwed(Number.MAX_SAFE_INTEGER);
  expect(await entriesOf(redis, ledger)).toEqual(new FactsModel(laws, timezone).entries(then, ledger));
  expect(await differencesOf(redis, ledger)).toEqual([]);
  ledgers.forEach((one) => one.close());
}

const accounts = ['ann', 'bob', 'cid', 'dan', '{x}:b o b\n🙂'];
export const merges = fc.record({
  run: runs,
  pair: fc.uniqueArray(fc.constantFrom(...accounts), { minLength: 2, maxLength: 2 }),
  countsOwn: fc.boolean(),
});

/** Delivers the histories of two accounts apart, makes them one, with crashes, and holds that to the law of the one. */
export async function holdMergeToLaw(
  {
    run: { set, laws, luck: begin },
    pair: [from = '', into = ''],
    ...rest
  }: typeof merges extends fc.Arbitrary<infer Run> ? Run : never,
  order: readonly Transition[],
  host: MortalRedis,
  shards: number,
): Promise<void> {
  // What the other did to what was theirs would be taken back at a moment of its own.
  const countsOwn = rest.countsOwn || Object.values(owners).includes(from);
  const ends = (_: string, owner: string | null, member: string) => owner === member && !countsOwn;
  const now = (member: string) => (member === from ? into : member);
  const asOne = unlike(set.map((one) => ({ ...one, member: now(one.member) }))).flatMap(({ gift, ...one }) => {
    const given = gift && { ...gift, member: now(gift.member) };
    if (given?.member !== one.member) return [{ ...one, ...(given && { gift: given }) }];
    return countsOwn ? [one] : [];
  });
  const clock = new ManualClock(firstMs + 7 * dayMs);
  const prefix = freshPrefix();
  const ledger = new Ledger(host, { ...kept, prefix, shards, laws, clock });
  await ledger.prepare();
  const firsts = new Set(unlike(set.map((one) => ({ ...one, of: one, member: now(one.member) }))).map(({ of }) => of));
  const apart = order.filter((one) => firsts.has(one));
  const luck = luckOf(begin);
  // The rest comes of the one, when they are one.
  await deliver([ledger], [host], apart.slice(0, luck(apart.length + 1)), clock, luck);
  for (let isDone = false, crashes = luck(4); !isDone; crashes -= 1) {
    if (crashes > 0) host.crashAfter(luck(60));
    isDone = await ledger.merging.merge(from, into, { ends }).then(
      () => true,
      (error: unknown) => {
        if (!host.hasCrashed) throw error;
        return false;
      },
    );
    host.comeBack();
  }
  await ledger.apply([...asOne, ...set.filter(({ member }) => member === from)]);
  await ledger.payOwed(Number.MAX_SAFE_INTEGER);
  const expected = new FactsModel(laws, timezone).entries(asOne, ledger);
  expect(await entriesOf(host, ledger)).toEqual(expected);
  await ledger.merging.merge(from, into, { ends });
  expect(await entriesOf(host, ledger)).toEqual(expected);
  expect(await mentions(host, prefix, from)).toEqual([]);
  expect(await differencesOf(host, ledger)).toEqual([]);
  ledger.close();
}
