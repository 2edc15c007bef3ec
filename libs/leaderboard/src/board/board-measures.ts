import type { BoardReaderOptions } from './board-reader.types';
import { systemClock } from '../time/clock';
import type { Score } from './order/entry';
import { LeaderboardError } from '../errors/errors';
import { estimateSettings, type Estimate } from './estimates/estimate';
import { Estimator } from './estimates/estimator';
import { readTable, type QuantileTable } from './estimates/quantile-table';
import { checkedMember } from '../keys/keys';
import { BoardLines } from './shards/board-lines';
import { BoardParts } from './shards/board-parts';
import { sum } from '../lists/lists';
import { sumOfScores } from './shards/sum';
import type { RedisClient } from '../redis/run';
import type { BoardLayout } from './layouts/layout';

/** What one board says of all its entries together, and about where one stands: counts, shares, sums, estimates. */
export abstract class BoardMeasures<S extends Score = number> {
  protected readonly parts: BoardParts;
  protected readonly lines: BoardLines;
  protected readonly layout: BoardLayout<S>;
  protected readonly firstRank: 0 | 1;
  private readonly estimator: Estimator<QuantileTable<S>>;

  constructor(redis: RedisClient, options: BoardReaderOptions<S>) {
    const { keys, vectorKeys, shardOf, layout, minScore = -Infinity, firstRank = 1, expiring, ready } = options;
    if (layout.order === 'asc' && minScore !== -Infinity) {
      throw new LeaderboardError('invalidOption', 'minScore hides the last entries of descending boards only.');
    }
    this.parts = new BoardParts(redis, { keys, vectorKeys, shardOf, order: layout.order, minScore, expiring, ready });
    this.lines = new BoardLines(this.parts, layout.order);
    this.layout = layout;
    this.firstRank = checkedFirstRank(firstRank);
    const settings = estimateSettings(options.estimates);
    this.estimator = new Estimator(
      () => readTable(this.parts, layout, settings, firstRank),
      settings.refreshMs,
      options.clock ?? systemClock,
    );
  }

  /** How many entries there are. One round trip. */
  async size(): Promise<number> {
    return sum(await this.parts.sizes());
  }

  /** How many entries have scores from `min` to `max`, both included. One round trip. */
  async countBetween(min: S, max: S): Promise<number> {
    const { from, to } = this.layout.between(min, max);
    const counts = await this.parts.countAhead([from, to]);
    return sum(counts.map((ofPart) => Math.max(0, (ofPart[1] as number) - (ofPart[0] as number))));
  }

  /**
   * What share of the others stands behind the member by ordinal rank, 0 to 100: 100 for the first, 0 for the last, 100
   * for one who is alone. Null for a missing member. One round trip; two where several shards lie on a Cluster.
   */
  async percentile(member: string): Promise<number | null> {
    const [ahead, sizes] = await Promise.all([this.parts.ahead(checkedMember(member)), this.parts.sizes()]);
    if (ahead === null) return null;
    const others = sum(sizes) - 1;
    const behind = others - ahead;
    return others <= 0 ? 100 : Math.min(100, Math.max(0, (100 * behind) / others));
  }

  /**
   * The score of the entry at a percentile from 0 to 100: of those whose {@link BoardMeasures.percentile} is at least so high, the
   * last. Null on an empty board. Two round trips.
   */
  async scoreAtPercentile(percentile: number): Promise<S | null> {
    if (!(percentile >= 0 && percentile <= 100)) {
      throw new LeaderboardError('invalidArgument', `percentile is ${String(percentile)}: use a number from 0 to 100.`);
    }
    const others = (await this.size()) - 1;
    if (others < 0) return null;
    let behind = Math.ceil((percentile * others) / 100);
    // Rounding must not pass over the very entry that the percentile was read of.
    if (behind > 0 && (100 * (behind - 1)) / others >= percentile) behind--;
    const [line] = (await this.lines.at(others - behind, 1)).lines;
    return line ? this.layout.read(line).score : null;
  }

  /**
   * The sum of all scores, of several dimensions one for each: exact, then rounded once to the nearest double, so that it
   * is the same on any number of shards. Reads the whole board, 1,000 lines in memory at a time: one round trip for each
   * 1,000 of a shard, about 40 bytes a line. 0 for an empty board; infinite beyond the range of doubles; NaN where
   * infinities of both signs meet. Entries that move meanwhile may count twice or not at all.
   */
  sum(): Promise<S> {
    return sumOfScores(this.parts, this.layout);
  }

  /**
   * About where the member stands, from its score and a table of the board's quantiles; null for a missing member. One
   * round trip, one command; the first estimate of an instance, and the first after a time without any, reads the table
   * before (on one shard 8 round trips with the default options, which take Redis 2 ms each).
   *
   * The rank is ordinal, whatever the board's ranking. `error` bounds how far off it is for the board as it was when the
   * table was read ({@link estimatesReadAt}): always on up to 5 shards, with a probability of 99.95 % on more, whatever
   * the scores. With the default options it is at most a twentieth of a percent of the board's size, rounded up by a place
   * or two, and 0 for the best `exactTop`. Of what changed since then it says nothing.
   */
  estimateRank(member: string): Promise<Estimate | null>;
  /**
   * About where an entry with this score stands, or would. No round trip once the table is there. Where many entries have
   * the score the rank is the middle of theirs, and `error` reaches to the first and the last of them.
   */
  estimateRank(known: { readonly score: S }): Promise<Estimate>;
  async estimateRank(known: string | { readonly score: S }): Promise<Estimate | null> {
    if (typeof known === 'object') {
      const group = this.layout.groupOf(known.score);
      return (this.estimator.table ?? (await this.estimator.whenRead())).ofGroup(group);
    }
    const [line] = await this.parts.find([checkedMember(known)]);
    if (!line) return null;
    return (this.estimator.table ?? (await this.estimator.whenRead())).ofLine(line);
  }

  /** When the table of {@link estimateRank} was read; null where there is none at present. */
  get estimatesReadAt(): Date | null {
    return this.estimator.readAt;
  }

  /**
   * Ends the refreshing of the table of {@link estimateRank}, and forgets it; a later estimate begins it again. Not needed
   * for the process to end: the timer does not keep it alive, and ends by itself where no estimate is asked for.
   */
  close(): void {
    this.estimator.close();
  }
}

function checkedFirstRank(firstRank: 0 | 1): 0 | 1 {
  if (firstRank === 0 || firstRank === 1) return firstRank;
  throw new LeaderboardError('invalidOption', `firstRank is ${String(firstRank)}: use 0 or 1.`);
}
