import { estimateSettings, type Estimate } from './estimates/estimate';
import { Estimator } from './estimates/estimator';
import { readTable, type QuantileTable } from './estimates/quantile-table';
import type { BoardLayout } from './layouts/layout';
import type { BoardShards } from './shards/board-shards';
import { openShards } from './shards/many-shards';
import type { Standing } from './shards/shard-lines';
import { sumOfScores } from './shards/exact-sum';
import type {
  BoardHead,
  BoardPage,
  BoardReaderOptions,
  BoardStanding,
  EntryAmong,
  RankingOption,
} from './board-reader.types';
import { systemClock } from '../time/clock';
import { cursorScope, readCursor, writeCursor } from './cursor';
import {
  type Bound,
  type Entry,
  type Line,
  type Ranking,
  type Score,
  afterLine,
  aheadOfAll,
  checkedRanking,
} from './order/order';
import { checkedSetting, checkedWhole, invalidArgument, invalidOption } from '../errors/errors';
import { checkedMember } from '../keys/keys';
import { DistinctScores } from './distinct-scores';
import { Ranks } from './ranking';
import { sum } from '../lists/lists';
import type { RedisClient } from '../redis/run';

/** So many lines are read by one call: some three milliseconds of Redis. */
const linesACall = 5_000;

/**
 * Exact reads of one board, with the same answers on one shard and on many.
 *
 * Round trips are stated for one shard. With several shards a window around a member costs one more and a page far down
 * a few, whatever its offset; on a Cluster a member's rank costs one more, too. Each is one call to each master.
 * Rankings: `competition` adds a round trip to pages and windows that do not begin at the top; `dense` does so to every
 * read, one for each 1,000 distinct scores ahead of the page, O(log N) each, between which Redis does other work.
 * Rejects with `invalidArgument` if an argument is malformed, with `unavailable` if no master of a Cluster serves a
 * slot, else with ioredis' errors.
 */
export class BoardReader<S extends Score = number> {
  protected readonly shards: BoardShards<S>;
  protected readonly layout: BoardLayout<S>;
  private readonly firstRank: number;
  private readonly estimator: Estimator<QuantileTable<S>>;
  private readonly numbering: Ranks<S>;
  private readonly ranking: Ranking;
  private readonly scope: string;

  constructor(redis: RedisClient, options: BoardReaderOptions<S>) {
    const { keys, layout, minScore = -Infinity, firstRank = 1, ranking = 'ordinal', clock = systemClock } = options;
    if (layout.order === 'asc' && minScore !== -Infinity) {
      throw invalidOption('minScore hides the last entries of descending boards only.');
    }
    this.shards = openShards(redis, { ...options, minScore });
    this.layout = layout;
    this.firstRank = checkedSetting('firstRank', firstRank, 0, 1);
    const settings = estimateSettings(options.estimates);
    this.estimator = new Estimator(() => readTable(this.shards, settings, firstRank), settings.refreshMs, clock);
    const distinct = { maxAgeMs: options.denseMaxAgeMs ?? 0, clock };
    this.numbering = new Ranks(this.shards, this.firstRank, new DistinctScores(this.shards, distinct));
    this.ranking = checkedRanking(ranking, 'invalidOption');
    this.scope = cursorScope([...keys, layout.id, layout.order]);
  }

  /** The best `count` entries. One round trip. */
  top(count: number, options?: RankingOption): Promise<Entry<S>[]> {
    return this.range(0, count, options);
  }

  /**
   * Up to `count` entries, passing over the first `offset`; none beyond the end. One round trip; of several shards some
   * five where the offset is not 0.
   */
  async range(offset: number, count: number, options?: RankingOption): Promise<Entry<S>[]> {
    checkedWhole('offset', offset, 0);
    checkedWhole('count', count, 0);
    const ranking = this.rankingOf(options);
    if (count === 0) return [];
    const { lines, ahead } = await this.shards.at(offset, count);
    return this.numbering.ofRun(lines, ahead, ranking);
  }

  /** The entry at an ordinal rank; null beyond the last. One round trip. */
  async at(rank: number, options?: RankingOption): Promise<Entry<S> | null> {
    checkedWhole('rank', rank, this.firstRank);
    return (await this.range(rank - this.firstRank, 1, options))[0] ?? null;
  }

  /** The member's entry; null without one. One round trip; two where ranks are dense, or on shards of a Cluster. */
  async entry(member: string, options?: RankingOption): Promise<Entry<S> | null> {
    return (await this.entries([member], options))[0] ?? null;
  }

  /** The members' entries in the order asked, null where there is none. As many round trips as {@link entry}. */
  async entries(members: readonly string[], options?: RankingOption): Promise<(Entry<S> | null)[]> {
    members.forEach(checkedMember);
    const ranking = this.rankingOf(options);
    if (members.length === 0) return [];
    return (await this.numbering.ofMembers(members, ranking)).map((one) => one && one.entry);
  }

  /** The member's score; null where there is none. One round trip. */
  async score(member: string): Promise<S | null> {
    return (await this.scores([member]))[0] ?? null;
  }

  /** The members' scores in the order asked, null in the place of one that is missing. One round trip. */
  async scores(members: readonly string[]): Promise<(S | null)[]> {
    const lines = await this.shards.find(members.map(checkedMember));
    return lines.map((line) => line && this.layout.read(line).score);
  }

  /** The member's rank; null where there is none. As many round trips as {@link entry}. */
  async rank(member: string, options?: RankingOption): Promise<number | null> {
    const ranking = this.rankingOf(options);
    if (ranking !== 'ordinal') return (await this.entry(member, options))?.rank ?? null;
    const ahead = await this.shards.ahead(checkedMember(member));
    return ahead === null ? null : this.firstRank + ahead;
  }

  /** The members' ranks in the order asked, null where there is none. As many round trips as {@link entry}. */
  async ranks(members: readonly string[], options?: RankingOption): Promise<(number | null)[]> {
    return (await this.entries(members, options)).map((entry) => entry && entry.rank);
  }

  /**
   * The member's entry in the middle of `radius` neighbours on each side; where the board ends the window is filled up
   * from the other side. None for a missing member. One round trip.
   */
  async around(member: string, options: { readonly radius: number } & RankingOption): Promise<Entry<S>[]> {
    return (await this.aroundWithSize(member, options)).entries;
  }

  /** {@link around}, and how many entries there are. Of several shards a missing member costs a round trip more. */
  async aroundWithSize(
    member: string,
    options: { readonly radius: number } & RankingOption,
  ): Promise<{ readonly size: number; readonly entries: Entry<S>[] }> {
    checkedMember(member);
    const radius = checkedWhole('radius', options.radius, 0);
    const ranking = this.rankingOf(options);
    const [{ size, window }] = (await this.shards.around([member], radius)) as [Standing];
    return { size, entries: window ? await this.numbering.ofRun(window.lines, window.ahead, ranking) : [] };
  }

  /**
   * The members' entries and percentiles, in the order asked, their neighbours, the size of the board and the entry at
   * one ordinal rank, `at`. One round trip and one command, so all is of one moment; with other rankings than `ordinal`
   * one more.
   */
  async standings(
    members: readonly string[],
    options: { readonly radius: number; readonly at: number } & RankingOption,
  ): Promise<BoardStanding<S>[]> {
    members.forEach(checkedMember);
    const radius = checkedWhole('radius', options.radius, 0);
    const index = checkedWhole('at', options.at, this.firstRank) - this.firstRank;
    const ranking = this.rankingOf(options);
    const [found, ranked] = await Promise.all([
      this.shards.around(members, radius, index),
      ranking === 'ordinal' ? null : this.entries(members, { ranking }),
    ]);
    return found.map(({ size, marked, window }, i) => {
      const around = window ? window.lines.map((line, place) => this.numbering.entry(line, window.ahead + place)) : [];
      const own = around.find((entry) => entry.member === members[i]);
      const at = marked && this.numbering.entry(marked, index);
      const entry = (ranked ? ranked[i] : own) ?? null;
      return { size, entry, percentile: own ? percentileOf(own.rank - this.firstRank, size) : null, around, at };
    });
  }

  /**
   * A page of entries behind a cursor, from the top for null, and the cursor behind its last entry, null where nothing
   * follows. A cursor names a place in the order, not a number: entries that move elsewhere neither repeat nor hide
   * others. One round trip.
   * @throws LeaderboardError `invalidCursor` for another board's, period's or layout's cursor.
   */
  async after(cursor: string | null, count: number, options?: RankingOption): Promise<BoardPage<S>> {
    checkedWhole('count', count, 0);
    const ranking = this.rankingOf(options);
    const mark = cursor === null ? null : readCursor(this.scope, cursor);
    if (count === 0) return { entries: [], next: cursor };
    const from = mark ? afterLine(mark) : aheadOfAll(this.layout.order);
    const { lines, ahead } = await this.shards.behind(from, count + 1);
    return this.pageOf(lines, ahead, count, ranking);
  }

  /** How many entries there are, and the first `count` of them, from 1. One round trip, one command. */
  async head(count: number): Promise<BoardHead<S>> {
    checkedWhole('count', count, 1);
    const { size, lines } = await this.shards.head(count + 1);
    return {
      size,
      entries: await this.numbering.ofRun(lines.slice(0, count), 0, 'ordinal'),
      page: async (wanted, options) => {
        checkedWhole('count', wanted, 1);
        if (wanted > count) {
          throw invalidArgument(`count is ${wanted}: the head was read with ${count} entries.`);
        }
        return this.pageOf(lines, 0, wanted, this.rankingOf(options));
      },
    };
  }

  /** A page of `size` entries, numbered from 1; none beyond the last. One round trip, as {@link range}. */
  page(number: number, size: number, options?: RankingOption): Promise<Entry<S>[]>;
  /** The page that begins behind the first `offset` entries, with the cursor from which {@link after} goes on. */
  page(from: { readonly offset: number }, size: number, options?: RankingOption): Promise<BoardPage<S>>;
  async page(
    from: number | { readonly offset: number },
    size: number,
    options?: RankingOption,
  ): Promise<Entry<S>[] | BoardPage<S>> {
    if (typeof from === 'object') {
      checkedWhole('offset', from.offset, 0);
      checkedWhole('size', size, 1);
      const ranking = this.rankingOf(options);
      const { lines, ahead } = await this.shards.at(from.offset, size + 1);
      return this.pageOf(lines, ahead, size, ranking);
    }
    checkedWhole('number', from, 1);
    const offset = (from - 1) * checkedWhole('size', size, 1);
    // An offset that no number is exact for lies far beyond the end.
    return this.range(Number.isSafeInteger(offset) ? offset : Number.MAX_SAFE_INTEGER, size, options);
  }

  /** How many pages of `size` entries there are. One round trip. */
  async pages(size: number): Promise<number> {
    checkedWhole('size', size, 1);
    return Math.ceil((await this.size()) / size);
  }

  /**
   * The entries with scores from `min` to `max`, both included, infinite if you like, in rank order: up to `count`
   * (default all) of them, passing over `offset` (0). One round trip for each 5,000: entries that move in between may
   * be left out, none is given twice.
   */
  async between(
    min: S,
    max: S,
    options: { readonly offset?: number; readonly count?: number } & RankingOption = {},
  ): Promise<Entry<S>[]> {
    const offset = checkedWhole('offset', options.offset ?? 0, 0);
    const count = checkedWhole('count', options.count ?? Number.MAX_SAFE_INTEGER, 0);
    const ranking = this.rankingOf(options);
    if (count === 0) return [];
    const { from, to: until } = this.layout.between(min, max);
    const first = await this.shards.between({ from, until }, offset, Math.min(count, linesACall));
    const lines = count > linesACall ? await this.withRest(first.lines, until, count) : first.lines;
    return this.numbering.ofRun(lines, first.ahead, ranking);
  }

  /**
   * The members' entries, each with its rank among the members given, in the order asked; null in the place of one that
   * is missing. A member given twice counts once. As many round trips as {@link entry}.
   */
  async rankAmong(members: readonly string[], options?: RankingOption): Promise<(EntryAmong<S> | null)[]> {
    members.forEach(checkedMember);
    const ranking = this.rankingOf(options);
    if (members.length === 0) return [];
    const ranked = await this.numbering.ofMembers(members, ranking);
    const distinct = new Map(ranked.flatMap((one) => (one ? [[one.line.element, one.line]] : [])));
    const sorted = [...distinct.values()].sort(this.shards.compare);
    const among = new Map<string, number>();
    for (const { member, rank } of await this.numbering.ofRun(sorted, 0, ranking)) among.set(member, rank);
    return ranked.map((one) => one && { ...one.entry, among: among.get(one.entry.member) as number });
  }

  /** How many entries there are. One round trip. */
  async size(): Promise<number> {
    return sum(await this.shards.sizes());
  }

  /** How many entries have scores from `min` to `max`, both included. One round trip. */
  async countBetween(min: S, max: S): Promise<number> {
    const { from, to } = this.layout.between(min, max);
    const counts = await this.shards.countAhead([from, to]);
    return sum(counts.map((ofShard) => Math.max(0, (ofShard[1] as number) - (ofShard[0] as number))));
  }

  /**
   * What share of the others stands behind the member by ordinal rank, 0 to 100: 100 for the first, 0 for the last, 100
   * for one who is alone. Null for a missing member. One round trip; two where several shards lie on a Cluster.
   */
  async percentile(member: string): Promise<number | null> {
    const [ahead, sizes] = await Promise.all([this.shards.ahead(checkedMember(member)), this.shards.sizes()]);
    return ahead === null ? null : percentileOf(ahead, sum(sizes));
  }

  /**
   * The score of the entry at a percentile from 0 to 100: of those whose `percentile` is at least so high, the
   * last. Null on an empty board. Two round trips.
   */
  async scoreAtPercentile(percentile: number): Promise<S | null> {
    if (!(percentile >= 0 && percentile <= 100)) {
      throw invalidArgument(`percentile is ${String(percentile)}: use a number from 0 to 100.`);
    }
    const size = await this.size();
    if (size === 0) return null;
    const [line] = (await this.shards.at(aheadOfPercentile(percentile, size), 1)).lines;
    return line ? this.layout.read(line).score : null;
  }

  /**
   * The sum of all scores, of several dimensions one for each: exact, then rounded once to the nearest double, so that
   * it is the same on any number of shards. Reads the whole board, 2,000 lines in memory at a time: one round trip for
   * each 1,000 of a shard, about 40 bytes a line. 0 for an empty board; infinite beyond the range of doubles; NaN where
   * infinities of both signs meet. Entries that move meanwhile may count twice or not at all.
   */
  sum(): Promise<S> {
    return sumOfScores(this.shards);
  }

  /**
   * About where the member stands, from its score and a table of the board's quantiles; null for a missing member. One
   * round trip, one command; the first estimate of an instance, and the first after a time without any, reads the table
   * before (on one shard 8 round trips with the default options, which take Redis 2 ms each).
   *
   * The rank is ordinal, whatever the board's ranking. `error` bounds how far off it is for the board as it was when
   * the table was read ({@link estimatesReadAt}): always on up to 5 shards, with a probability of 99.95 % on more,
   * whatever the scores. With the default options it is at most a twentieth of a percent of the board's size, rounded
   * up by a place or two, and 0 for the best `exactTop`. It does not cover later changes.
   */
  estimateRank(member: string): Promise<Estimate | null>;
  /**
   * About where an entry with this score stands, or would. No round trip once the table is there. Where many entries
   * have the score the rank is the middle of theirs, and `error` reaches to the first and the last of them.
   */
  estimateRank(known: { readonly score: S }): Promise<Estimate>;
  async estimateRank(known: string | { readonly score: S }): Promise<Estimate | null> {
    if (typeof known === 'object') {
      const group = this.layout.groupOf(known.score);
      return (await this.estimator.whenRead()).ofGroup(group);
    }
    const [line] = await this.shards.find([checkedMember(known)]);
    if (!line) return null;
    return (await this.estimator.whenRead()).ofLine(line);
  }

  /** When the table of {@link estimateRank} was read; null where there is none at present. */
  get estimatesReadAt(): Date | null {
    return this.estimator.readAt;
  }

  /**
   * Stops refreshing the table of {@link estimateRank} and drops it; a later estimate reads it again. A process ends
   * without this call: the timer does not keep it alive, and stops when no estimate is asked for.
   */
  close(): void {
    this.estimator.close();
  }

  /** Lines of one call, and those behind them ahead of a bound, `count` in all, each member once. */
  private async withRest(lines: readonly Line[], until: Bound, count: number): Promise<Line[]> {
    const byMember = new Map<string, Line>();
    for (let read = lines; ;) {
      for (const line of read) {
        const { member } = this.layout.read(line);
        if (!byMember.has(member)) byMember.set(member, line);
      }
      const last = read[read.length - 1];
      const missing = count - byMember.size;
      if (!last || read.length < linesACall || missing <= 0) return [...byMember.values()].slice(0, count);
      ({ lines: read } = await this.shards.between({ from: afterLine(last), until }, 0, linesACall));
    }
  }

  /** The first `count` of lines that were read with one more, to know whether anything follows. */
  private async pageOf(read: readonly Line[], ahead: number, count: number, ranking: Ranking): Promise<BoardPage<S>> {
    const lines = read.slice(0, count);
    const last = read.length > count ? lines[count - 1] : undefined;
    return {
      entries: await this.numbering.ofRun(lines, ahead, ranking),
      next: last ? writeCursor(this.scope, last) : null,
    };
  }

  private rankingOf(options: RankingOption | undefined): Ranking {
    return options?.ranking === undefined ? this.ranking : checkedRanking(options.ranking);
  }
}

/** One member's entries on many boards, null where it has none: as many round trips as {@link BoardReader.entry}. */
export function entriesOn<S extends Score>(
  boards: readonly BoardReader<S>[],
  member: string,
  options?: RankingOption,
): Promise<(Entry<S> | null)[]> {
  return Promise.all(boards.map((board) => board.entry(member, options)));
}

/** The first of several boards that has at least `count` entries; null: none has. All are asked at once: one trip. */
export async function firstWith<Board extends Pick<BoardReader<Score>, 'size'>>(
  boards: readonly Board[],
  count: number,
): Promise<Board | null> {
  checkedWhole('count', count, 0);
  const sizes = await Promise.all(boards.map((board) => board.size()));
  return boards.find((_, i) => (sizes[i] as number) >= count) ?? null;
}

/** The percentile of an entry, 0 to 100. Counts of two moments may disagree. */
function percentileOf(ahead: number, size: number): number {
  const others = size - 1;
  return others <= 0 ? 100 : Math.min(100, Math.max(0, (100 * (others - ahead)) / others));
}

/** How many entries of some stand ahead of the last whose percentile is at least so high. */
export function aheadOfPercentile(percentile: number, size: number): number {
  const others = Math.max(0, size - 1);
  let behind = Math.ceil((percentile * others) / 100);
  // Rounding must not pass over the very entry that the percentile was read of.
  if (behind > 0 && (100 * (behind - 1)) / others >= percentile) behind--;
  return others - behind;
}
