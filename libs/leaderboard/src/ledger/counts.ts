import { createHash } from 'node:crypto';
import type { LedgerCount, Transition, TransitionLimit } from './ledger.types';

/** What the ledgers of one call keep count of. */
export interface CountSet {
  /** Differs with what is counted; empty where nothing is. */
  readonly digest: string;
  /** As scripts/include/daily-counts.lua reads them. */
  readonly counters: readonly (readonly [unit: 1 | 2, ...prefixes: string[]])[];
  /** Of each counter its place, from 1, by {@link idOf}. */
  readonly places: ReadonlyMap<string, number>;
}

const nothing: CountSet = { digest: '', counters: [], places: new Map() };

/** Lists live as long as the rules they come from: each is looked through once. */
const setsOfCounts = new WeakMap<readonly LedgerCount[], CountSet>();
const setsOfLimits = new WeakMap<readonly TransitionLimit[], CountSet>();

/** What a transition's caller counts. */
export function countSetOf({ counts, limits }: Pick<Transition, 'counts' | 'limits'>): CountSet {
  if (counts) return keptIn(setsOfCounts, counts, () => counts);
  if (!limits) return nothing;
  return keptIn(setsOfLimits, limits, () => limits.flatMap((limit) => (limit.type === 'daily' ? limit.count : [])));
}

/** The place of a count in a set that has it. */
export function placeOfCount(set: CountSet, count: LedgerCount): number {
  return set.places.get(idOf(count)) ?? 0;
}

/** Whether a field is counted. */
export function isCounted({ counters }: CountSet, field: string): boolean {
  return counters.some(([, ...prefixes]) => prefixes.some((prefix) => field.startsWith(prefix)));
}

/** Transitions in their order, cut where what is counted changes: one call keeps one set of counts. */
export function cutByCounts(transitions: readonly Transition[]): readonly (readonly Transition[])[] {
  const [first] = transitions;
  if (!first) return [];
  const { digest } = countSetOf(first);
  const cut = transitions.findIndex((transition) => countSetOf(transition).digest !== digest);
  return cut < 0 ? [transitions] : [transitions.slice(0, cut), ...cutByCounts(transitions.slice(cut))];
}

function keptIn<Key extends object>(kept: WeakMap<Key, CountSet>, key: Key, counts: () => readonly LedgerCount[]) {
  let set = kept.get(key);
  if (!set) {
    set = countSet(counts());
    kept.set(key, set);
  }
  return set;
}

/** More lie otherwise in ledgers, see scripts/include/daily-counts.lua: whoever would not read them so has another digest. */
const mostDoubles = 5;

/** The order in which counts are listed makes no other set. */
function countSet(counts: readonly LedgerCount[]): CountSet {
  if (counts.length === 0) return nothing;
  const byId = new Map(counts.map((count) => [idOf(count), count]));
  const ids = [...byId.keys()].sort();
  const format = ids.length > mostDoubles ? ['packed', ids] : ids;
  return {
    digest: createHash('sha256').update(JSON.stringify(format)).digest('base64url').slice(0, 8),
    counters: ids.map((id) => {
      const count = byId.get(id) as LedgerCount;
      return [count.of === 'grants' ? 1 : 2, ...count.fieldPrefixes] as const;
    }),
    places: new Map(ids.map((id, index) => [id, index + 1])),
  };
}

function idOf({ of, fieldPrefixes }: LedgerCount): string {
  return JSON.stringify([of, ...[...fieldPrefixes].sort()]);
}
