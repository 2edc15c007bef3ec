/** Groups items by a key, in the order in which the keys first come. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** The items in runs of at most `size`. */
export function chunksOf<T>(items: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let start = 0; start < items.length; start += size) chunks.push(items.slice(start, start + size));
  return chunks;
}

/** The sum of `numbers`. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The first of `count` ordered places at which `isBefore` does not hold any more. */
export function firstPlace(count: number, isBefore: (place: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A cache's value of a key, made if it is missing; a full cache begins anew. */
export function cached<K, V>(cache: Map<K, V>, key: K, make: () => V, max = 20_000): V {
  const known = cache.get(key);
  if (known !== undefined) return known;
  if (cache.size >= max) cache.clear();
  const made = make();
  cache.set(key, made);
  return made;
}

/** As {@link cached}, for as long as the key is there. */
export function cachedWith<K extends object, V>(cache: WeakMap<K, V>, key: K, make: () => V): V {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = make();
  cache.set(key, made);
  return made;
}
