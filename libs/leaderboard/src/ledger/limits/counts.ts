import { createHash } from 'node:crypto';
import type { FieldNames, LedgerCount, Transition, TransitionLimit } from '../model/ledger.types';

/** As daily-counts.lua numbers them. */
const units: readonly LedgerCount['of'][] = ['grants', 'points', 'standing'];
const latestUnit = units.length + 1;

/** A count: its unit, and what the fields begin with that it counts. */
type Counter = readonly [unit: number, ...prefixes: string[]];

/** The counts that the ledgers of one call keep. */
export interface CountSet {
  /** Each once. */
  readonly counts: readonly LedgerCount[];
  /** Differs if anything else is counted; empty if nothing is. */
  readonly digest: string;
  /** The last counts nothing, where there are caps: it is the latest moment that they judged. */
  readonly counters: readonly Counter[];
  /** Of each counter the most that a day may have, {@link LedgerCount.max}; 0: as much as there is. */
  readonly caps: readonly number[];
  /** Of each counter its place, from 1, by {@link idOf}. */
  readonly places: ReadonlyMap<string, number>;
}

const nothing: CountSet = { counts: [], digest: '', counters: [], caps: [], places: new Map() };

/** Lists live as long as the rules they come from: each is looked through once. */
const setsOfCounts = new WeakMap<readonly LedgerCount[], CountSet>();
const setsOfLimits = new WeakMap<readonly TransitionLimit[], CountSet>();
/** Keyed by content, as callers may make an equal list anew for each call. */
const setsByIds = new Map<string, CountSet>();
const maxSetsKept = 1_000;

/** Everything that the callers of some transitions count: one call keeps one set of counts. */
export function countSetOf(transitions: readonly Pick<Transition, 'counts' | 'limits'>[]): CountSet {
  let all = nothing;
  let last: Pick<Transition, 'counts' | 'limits'> = {};
  for (const one of transitions) {
    const { counts, limits } = one;
    if (counts !== last.counts && counts)
      all = union(
        all,
        keptIn(setsOfCounts, counts, () => counts),
      );
    if (limits !== last.limits && limits)
      all = union(
        all,
        keptIn(setsOfLimits, limits, () => limits.flatMap(countOf)),
      );
    last = one;
  }
  return all;
}

function countOf(limit: TransitionLimit): readonly LedgerCount[] {
  return limit.type === 'daily' ? [limit.count] : [];
}

function union(one: CountSet, other: CountSet): CountSet {
  if (one === other || other.counts.length === 0) return one;
  if (one.counts.length === 0) return other;
  const isKnown = (count: LedgerCount) => {
    const place = placeOfCount(one, count);
    return place > 0 && (count.max === undefined || count.max === one.caps[place - 1]);
  };
  const added = other.counts.filter((count) => !isKnown(count));
  return added.length === 0 ? one : countSet([...one.counts, ...added]);
}

/** The place of a count in a set that has it. */
export function placeOfCount(set: CountSet, count: LedgerCount): number {
  return set.places.get(idOf(count)) ?? 0;
}

/** The places of the counters that count a field, from 1, separated by commas. */
export function countersOf({ counters }: CountSet, field: string): string {
  let places = '';
  for (let c = 0; c < counters.length; c++) {
    const [, ...prefixes] = counters[c] as Counter;
    if (prefixes.some((prefix) => field.startsWith(prefix))) places += places === '' ? c + 1 : `,${c + 1}`;
  }
  return places;
}

const setsOfNames = new WeakMap<FieldNames, WeakMap<CountSet, readonly Counter[]>>();

/** The counters as daily-counts.lua reads them: by what the short names of fields begin with. */
export function namedCounters(set: CountSet, names: FieldNames): readonly Counter[] {
  const kept = setsOfNames.get(names) ?? new WeakMap<CountSet, readonly Counter[]>();
  setsOfNames.set(names, kept);
  let counters = kept.get(set);
  if (!counters) {
    const named = ([unit, ...prefixes]: Counter): Counter => [unit, ...prefixes.flatMap(names.beginnings)];
    counters = set.counters.map(named);
    kept.set(set, counters);
  }
  return counters;
}

function keptIn<Key extends object>(kept: WeakMap<Key, CountSet>, key: Key, counts: () => readonly LedgerCount[]) {
  let set = kept.get(key);
  if (!set) {
    set = countSet(counts());
    kept.set(key, set);
  }
  return set;
}

/**
 * More than five counts are stored as MessagePack, see daily-counts.lua. The digest covers the format, so instances
 * that disagree never share counts.
 */
const mostDoubles = 5;

/** The order in which counts are listed makes no other set. */
function countSet(counts: readonly LedgerCount[]): CountSet {
  if (counts.length === 0) return nothing;
  const byId = new Map<string, LedgerCount>();
  for (const count of counts) {
    const id = idOf(count);
    const max = Math.min(count.max ?? Infinity, byId.get(id)?.max ?? Infinity);
    byId.set(id, max === Infinity ? count : { ...count, max });
  }
  const ids = [...byId.keys()].sort();
  const caps = ids.map((id) => byId.get(id)?.max ?? 0);
  const isCapped = caps.some((max) => max > 0);
  const size = isCapped ? ids.length + 1 : ids.length;
  const told = isCapped ? ['capped', ids, caps] : ids;
  const format = JSON.stringify(size > mostDoubles ? ['packed', told] : told);
  const kept = setsByIds.get(format);
  if (kept) return kept;
  const set: CountSet = {
    counts: [...byId.values()],
    digest: createHash('sha256').update(format).digest('base64url').slice(0, 8),
    counters: [
      ...ids.map((id): Counter => {
        const count = byId.get(id) as LedgerCount;
        return [units.indexOf(count.of) + 1, ...count.fieldPrefixes];
      }),
      ...(isCapped ? [[latestUnit] as const] : []),
    ],
    caps: isCapped ? [...caps, 0] : ids.map(() => 0),
    places: new Map(ids.map((id, index) => [id, index + 1])),
  };
  if (setsByIds.size >= maxSetsKept) setsByIds.clear();
  setsByIds.set(format, set);
  return set;
}

function idOf({ of, fieldPrefixes }: LedgerCount): string {
  return JSON.stringify([of, ...[...fieldPrefixes].sort()]);
}
