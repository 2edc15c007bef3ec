import {
  checkedRanking,
  type EstimateOptions,
  type Order,
  type Ranking,
  type Score,
  ScoreLayout,
  type Update,
} from '../board';
import { systemClock, type Clock } from '../time/clock';
import { LeaderboardError, type LeaderboardErrorCode, invalidOption } from '../errors/errors';
import { checkedPrefix } from '../keys/keys';
import { shardTags } from '../keys/shard';

/** The options of a leaderboard; only `key` is required. */
export interface LeaderboardOptions<S extends Score = number> {
  /** First part of its Redis keys: 1 to 64 letters, digits and `_.:-`. */
  readonly key: string;
  /** How many shards its members are spread over; once there are entries, another is refused. @defaultValue `1` */
  readonly shards?: number;
  /** Which of two scores is better: the higher, `desc`, or the lower, `asc`. @defaultValue `desc` */
  readonly order?: Order;
  /** How equal scores are ranked: 1234, `competition` 1224, `dense` 1223; reads may choose. @defaultValue `ordinal` */
  readonly ranking?: Ranking;
  /** The rank of the best. @defaultValue `1` */
  readonly firstRank?: 0 | 1;
  /** How `setMany` treats present scores: `set`, `increment` or `best`. @defaultValue `set` */
  readonly update?: Update;
  /** How scores are kept. @defaultValue `ScoreLayout.plain()` */
  readonly layout?: ScoreLayout<S>;
  /** How many entries are kept: the best ones. @defaultValue all */
  readonly limit?: number;
  /**
   * When the board expires, set with an instance's first write; see {@link Leaderboard.expireAt}.
   * @defaultValue never
   */
  readonly expireAt?: Date;
  /** How {@link Leaderboard.estimateRank} estimates. @defaultValue those of its options */
  readonly estimates?: EstimateOptions;
  /** Where the time comes from, for tests. @defaultValue the machine's */
  readonly clock?: Clock;
}

/** {@link LeaderboardOptions} with every default filled in, checked and frozen. */
export type LeaderboardSettings<S extends Score> = ReturnType<typeof leaderboardSettings<S>>;

const updates: readonly Update[] = ['set', 'increment', 'best'];

/** @throws LeaderboardError `invalidOption`, naming the option, its value and what is allowed. */
export function leaderboardSettings<S extends Score>(options: LeaderboardOptions<S>) {
  const { key, shards = 1, order = 'desc', ranking = 'ordinal', firstRank = 1, update = 'set', limit } = options;
  if (order !== 'desc' && order !== 'asc') {
    throw invalidOption(`order is "${String(order)}": use desc or asc.`);
  }
  if (!updates.includes(update)) {
    throw invalidOption(`update is "${String(update)}": use one of ${updates.join(', ')}.`);
  }
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 1)) {
    throw invalidOption(`limit is ${limit}: use a whole number from 1, or leave it out.`);
  }
  // Without a layout S has its default, number, which is what the plain layout holds.
  const layout = options.layout ?? (ScoreLayout.plain() as ScoreLayout<Score> as ScoreLayout<S>);
  return Object.freeze({
    key: checkedPrefix('key', key),
    tags: shardTags(shards),
    ranking: checkedRanking(ranking, 'invalidOption'),
    firstRank,
    update,
    layout: layout.forOrder(order),
    /** Keep the best so many; 0 keeps all. */
    limit: limit ?? 0,
    /** In ms; null: never. */
    expireAt: options.expireAt ? checkedExpiry(options.expireAt, 'invalidOption') : null,
    clock: options.clock ?? systemClock,
  });
}

/** @throws LeaderboardError with `code` unless it is a moment at which keys can expire. */
export function checkedExpiry(date: Date, code: LeaderboardErrorCode): number {
  const ms = date.getTime();
  if (Number.isSafeInteger(ms) && ms > 0) return ms;
  throw new LeaderboardError(code, 'expireAt takes a valid Date after 1970-01-01.');
}
