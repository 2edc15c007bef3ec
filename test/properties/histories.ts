import type { Ledger, RedisClient, Transition } from '@laurel/leaderboard';
import fc from 'fast-check';
import { Cluster } from 'ioredis';
import { ownRedis } from '../support/own-servers';

export const dayMs = 86_400_000;

/** Days from here on are of two months and two weeks; ahead, so that nothing expires. */
export const firstMs = Date.parse('2036-10-29T00:00:00Z');

/** Moments of so many days that meet one another, most of them at the days' edges. */
export function momentsOf(days: number, offsets = [0, 1, 7, 3_600_000, dayMs - 1], beginMs = firstMs) {
  return fc.tuple(fc.nat(days - 1), fc.constantFrom(...offsets)).map(([day, offset]) => beginMs + day * dayMs + offset);
}

/** Whose transitions are drawn, of what and when. */
export interface Histories {
  readonly members: readonly string[];
  /** Points by field. */
  readonly worth: Readonly<Record<string, number>>;
  readonly moment: fc.Arbitrary<number>;
  /** How many grants there are beside a revoke of all days and a revoke of one. Default 3. */
  readonly grants?: number;
  readonly sequences?: readonly number[];
  readonly maxLength: number;
}

/** Some grants, and revokes of all days or of one. */
export function histories({ members, worth, moment, grants = 3, sequences = [0], maxLength }: Histories) {
  const sorts = [...Array<'grant'>(grants).fill('grant'), 'revoke', 'dayRevoke'] as const;
  const one = fc
    .record({
      member: fc.constantFrom(...members),
      field: fc.constantFrom(...Object.keys(worth)),
      sort: fc.constantFrom(...sorts),
      occurredAtMs: moment,
      grantedAtMs: moment,
      sequence: fc.constantFrom(...sequences),
    })
    .map(({ sort, grantedAtMs, ...rest }): Transition => ({
      ...rest,
      kind: sort === 'grant' ? 'grant' : 'revoke',
      points: worth[rest.field] as number,
      ...(sort === 'dayRevoke' && { grantedAtMs }),
    }));
  return fc.array(one, { minLength: 1, maxLength });
}

/** Two orders of a set, each with all of it. */
export function ordersOf<T>(all: readonly T[]): fc.Arbitrary<[T[], T[]]> {
  const shuffled = fc.shuffledSubarray([...all], { minLength: all.length, maxLength: all.length });
  return fc.tuple(shuffled, shuffled);
}

/** So many transitions go to a ledger in one call. */
export const batches = fc.constantFrom(1, 3, 8);

/** Records transitions in their order, so many a call. */
export async function send(ledger: Ledger, order: readonly Transition[], batch: number): Promise<void> {
  for (let at = 0; at < order.length; at += batch) await ledger.apply(order.slice(at, at + batch));
}

/** The entries of all boards, as their sorted sets have them, by `board:period member`. */
export async function entriesOf(redis: RedisClient, { settings: { prefix } }: Ledger): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  const nodes = redis instanceof Cluster ? redis.nodes('master') : [redis];
  const keys = await Promise.all(nodes.map((node) => node.keys(`{${prefix}:*}:board:*`)));
  for (const key of keys.flat()) {
    const flat = await redis.zrange(key, '0', '-1', 'WITHSCORES');
    const board = key.slice(key.indexOf('}:board:') + '}:board:'.length);
    for (let i = 0; i < flat.length; i += 2) found[`${board} ${flat[i]}`] = Number(flat[i + 1]);
  }
  return found;
}

/**
 * A Redis of the suite's own, which it empties after each run, since audits look at every key. The seed is said, and a
 * test may take half an hour: thousands of runs on a busy machine.
 */
export function redisOfProperty() {
  jest.setTimeout(1_800_000);
  return ownRedis();
}
