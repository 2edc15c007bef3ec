import { checkedRanking, checkedWhole } from './checks';
import { systemClock, type Clock } from './clock';
import { cursorScope, readCursor, writeCursor } from './cursor';
import type { Entry, Ranking, Score } from './entry';
import { LeaderboardError } from './errors';
import { estimateSettings, type Estimate, type EstimateOptions } from './estimates/estimate';
import { Estimator } from './estimates/estimator';
import { readTable, type QuantileTable } from './estimates/quantile-table';
import { checkedMember } from './keys';
import { BoardLines } from './reads/board-lines';
import { BoardParts } from './reads/board-parts';
import { afterLine, beforeLine } from './reads/bound';
import { boardOrder, type Line } from './reads/line';
import { Ranks } from './reads/ranking';
import { sum } from './reads/select';
import { aheadOfAll } from './reads/stream';
import { sumOfScores } from './reads/sum';
import { walk } from './reads/walk';
import type { RedisClient } from './scripts/run';
import type { ExpiringMembers } from './scripts/sender';
import type { BoardLayout } from './score/layout';

/** What a {@link BoardReader} reads, and how. */
export interface BoardReaderOptions<S extends Score = number> {
  /** The board's sorted sets, one a shard. */
  readonly keys: readonly string[];
  /** Of a lexical board: the hashes of member -> vector, one a shard. */
  readonly vectorKeys?: readonly string[];
  /** The shard that holds a member: an index of `keys`. */
  readonly shardOf: (member: string) => number;
  readonly layout: BoardLayout<S>;
  /** Entries of lower raw scores do not exist to any read. Of descending boards only. Default: all exist. */
  readonly minScore?: number;
  /** How equal scores are numbered where a call does not say. Default `ordinal`. */
  readonly ranking?: Ranking;
  /** The best one's rank. Default 1. */
  readonly firstRank?: 0 | 1;
  /** Of a board whose members expire. */
  readonly expiring?: ExpiringMembers;
  /** Awaited before anything is read; where it rejects, so does the read. */
  readonly ready?: () => Promise<void>;
  /** How ranks are estimated. */
  readonly estimates?: EstimateOptions | undefined;
  readonly clock?: Clock;
}

/** Says how a read numbers equal scores. */
export interface RankingOption {
  readonly ranking?: Ranking;
}

/** An entry, and its rank among those it was asked with. */
export interface EntryAmong<S extends Score = number> extends Entry<S> {
  readonly among: number;
}

/** Entries in rank order, and the cursor behind the last of them: null where nothing follows. */
export interface BoardPage<S extends Score = number> {
  readonly entries: Entry<S>[];
  readonly next: string | null;
}

/** The beginning of a board as it was read: pages of any size and ranking are cut of it without Redis. */
export interface BoardHead<S extends Score = number> {
  /** How many entries the board has. */
  readonly size: number;
  /** The first entries, by ordinal rank. */
  readonly entries: readonly Entry<S>[];
  /** As {@link BoardReader.after} from the top; at most as many entries as the head was read with. */
  page(count: number, options?: RankingOption): Promise<BoardPage<S>>;
}

/**
 * Exact reads of one board that lies in one shard or in many: the same answers either way.
 *
 * Round trips are stated for one shard; with several, a read costs one more to find where it begins, and a page far
 * down a few more, whatever its offset. Rankings: `competition` adds a round trip to reads that do not begin at the top;
 * `dense` does too and walks the distinct scores ahead of the page, O(log N) each: it is for boards of few distinct
 * scores. Rejects with `invalidArgument` what is malformed, with `unavailable` where no master of a Cluster serves a slot,
 * with ioredis' errors where Redis does not answer else.
 */
export class BoardReader<S extends Score = number> {
  protected readonly parts: BoardParts;
  protected readonly lines: BoardLines;
  protected readonly layout: BoardLayout<S>;
  private readonly numbering: Ranks<S>;
  private readonly ranking: Ranking;
  private readonly firstRank: 0 | 1;
  private readonly scope: string;
  private readonly estimator: Estimator<QuantileTable<S>>;

  constructor(redis: RedisClient, options: BoardReaderOptions<S>) {
    const {
      keys,
      vectorKeys,
      shardOf,
      layout,
      minScore = -Infinity,
      ranking = 'ordinal',
      firstRank = 1,
      expiring,
      ready,
    } = options;
    if (layout.order === 'asc' && minScore !== -Infinity) {
      throw new LeaderboardError('invalidOption', 'minScore hides the last entries of descending boards only.');
    }
    this.parts = new BoardParts(redis, { keys, vectorKeys, shardOf, order: layout.order, minScore, expiring, ready });
    this.lines = new BoardLines(this.parts, layout.order);
    this.layout = layout;
    this.numbering = new Ranks(this.parts, layout, firstRank);
    this.ranking = checkedRanking(ranking, 'invalidOption');
    this.firstRank = checkedFirstRank(firstRank);
    this.scope = cursorScope([...keys, layout.id, layout.order]);
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

  /** The best `count` entries. One round trip. */
  top(count: number, options?: RankingOption): Promise<Entry<S>[]> {
    return this.range(0, count, options);
  }

  /**
   * Up to `count` entries, passing over the first `offset`; none beyond the end. One round trip; on a Cluster some five where
   * the offset is not 0.
   */
  async range(offset: number, count: number, options?: RankingOption): Promise<Entry<S>[]> {
    checkedWhole('offset', offset, 0);
    checkedWhole('count', count, 0);
    const ranking = this.rankingOf(options);
    if (count === 0) return [];
    const { lines, ahead } = await this.lines.at(offset, count);
    return this.numbering.ofRun(lines, ahead, ranking);
  }

  /** The entry at an ordinal rank; null beyond the last. One round trip. */
  async at(rank: number, options?: RankingOption): Promise<Entry<S> | null> {
    checkedWhole('rank', rank, this.firstRank);
    return (await this.range(rank - this.firstRank, 1, options))[0] ?? null;
  }

  /**
   * The member's entry; null where there is none. One round trip where the ranking is ordinal, otherwise two, as where
   * several shards lie on a Cluster or are lexical.
   */
  async entry(member: string, options?: RankingOption): Promise<Entry<S> | null> {
    const ranking = this.rankingOf(options);
    if (ranking !== 'ordinal') return (await this.entries([member], options))[0] ?? null;
    const place = await this.parts.place(checkedMember(member));
    return place && ((await this.numbering.ofRun([place.line], place.ahead, ranking))[0] ?? null);
  }

  /** The members' entries in the order asked, null in the place of one that is missing. Two round trips. */
  async entries(members: readonly string[], options?: RankingOption): Promise<(Entry<S> | null)[]> {
    members.forEach(checkedMember);
    const ranking = this.rankingOf(options);
    if (members.length === 0) return [];
    return this.numbering.ofEach(await this.parts.find(members), ranking);
  }

  /** The member's score; null where there is none. One round trip. */
  async score(member: string): Promise<S | null> {
    const [line] = await this.parts.find([checkedMember(member)]);
    return line ? this.layout.read(line).score : null;
  }

  /** The member's rank; null where there is none. As many round trips as {@link entry}. */
  async rank(member: string, options?: RankingOption): Promise<number | null> {
    const ranking = this.rankingOf(options);
    if (ranking !== 'ordinal') return (await this.entry(member, options))?.rank ?? null;
    const ahead = await this.parts.ahead(checkedMember(member));
    return ahead === null ? null : this.firstRank + ahead;
  }

  /**
   * The members' ranks in the order asked, null in the place of one that is missing. One round trip; two of dense ranks,
   * of lexical boards, of boards in several shards on a Cluster, and of more than 500 members.
   */
  async ranks(members: readonly string[], options?: RankingOption): Promise<(number | null)[]> {
    members.forEach(checkedMember);
    const ranking = this.rankingOf(options);
    return members.length === 0 ? [] : this.numbering.ofMembers(members, ranking);
  }

  /**
   * The member's entry in the middle of `radius` neighbours on each side; where the board ends the window is filled up
   * from the other side. None for a missing member. One round trip.
   */
  async around(member: string, options: { readonly radius: number } & RankingOption): Promise<Entry<S>[]> {
    checkedMember(member);
    const radius = checkedWhole('radius', options.radius, 0);
    const ranking = this.rankingOf(options);
    const window = await this.lines.around(member, radius);
    return window ? this.numbering.ofRun(window.lines, window.ahead, ranking) : [];
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
    const { lines, ahead } = await this.lines.behind(from, count + 1);
    return this.pageOf(lines, ahead, count, ranking);
  }

  /** How many entries there are, and the first `count` of them, from 1. One round trip, one command. */
  async head(count: number): Promise<BoardHead<S>> {
    checkedWhole('count', count, 1);
    const parts = await this.parts.heads(count + 1);
    const lines = parts.flatMap((part) => part.lines);
    if (parts.length > 1) lines.sort(boardOrder(this.layout.order)).splice(count + 1);
    return {
      size: sum(parts.map((part) => part.size)),
      entries: await this.numbering.ofRun(lines.slice(0, count), 0, 'ordinal'),
      page: async (wanted, options) => {
        checkedWhole('count', wanted, 1);
        if (wanted > count) {
          throw new LeaderboardError('invalidArgument', `count is ${wanted}: the head was read with ${count} entries.`);
        }
        return this.pageOf(lines, 0, wanted, this.rankingOf(options));
      },
    };
  }

  /** As {@link range}, with the cursor from which {@link after} goes on. One round trip. */
  async pageAt(offset: number, count: number, options?: RankingOption): Promise<BoardPage<S>> {
    checkedWhole('offset', offset, 0);
    checkedWhole('count', count, 1);
    const ranking = this.rankingOf(options);
    const { lines, ahead } = await this.lines.at(offset, count + 1);
    return this.pageOf(lines, ahead, count, ranking);
  }

  /**
   * The entries with scores from `min` to `max`, both included, infinite if you like, in rank order: up to `count`
   * (default all) of them, passing over `offset` (0). One round trip.
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
    const { from, to } = this.layout.between(min, max);
    const { lines, ahead } = await this.lines.between(from, to, offset, count);
    return this.numbering.ofRun(lines, ahead, ranking);
  }

  /** How many entries have scores from `min` to `max`, both included. One round trip. */
  async countBetween(min: S, max: S): Promise<number> {
    const { from, to } = this.layout.between(min, max);
    const counts = await this.parts.countAhead([from, to]);
    return sum(counts.map((ofPart) => Math.max(0, (ofPart[1] as number) - (ofPart[0] as number))));
  }

  /**
   * What share of the others stands behind the member by ordinal rank, 0 to 100: 100 for the first, 0 for the last, 100
   * for one who is alone. Null for a missing member. Two round trips.
   */
  async percentile(member: string): Promise<number | null> {
    const [line] = await this.parts.find([checkedMember(member)]);
    if (!line) return null;
    const [counts, sizes] = await Promise.all([this.parts.countAhead([beforeLine(line)]), this.parts.sizes()]);
    const others = sum(sizes) - 1;
    const behind = others - sum(counts.map((ofPart) => ofPart[0] as number));
    return others <= 0 ? 100 : Math.min(100, Math.max(0, (100 * behind) / others));
  }

  /**
   * The score of the entry at a percentile from 0 to 100: of those whose {@link BoardReader.percentile} is at least so high, the
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
   * The members' entries, each with its rank among the members given, in the order asked; null in the place of one that is
   * missing. A member given twice counts once. Two round trips.
   */
  async rankAmong(members: readonly string[], options?: RankingOption): Promise<(EntryAmong<S> | null)[]> {
    members.forEach(checkedMember);
    const ranking = this.rankingOf(options);
    if (members.length === 0) return [];
    const lines = await this.parts.find(members);
    const distinct = new Map(lines.flatMap((line) => (line ? [[line.element, line]] : [])));
    const sorted = [...distinct.values()].sort(boardOrder(this.layout.order));
    const among = new Map<string, number>();
    for (const { member, rank } of await this.numbering.ofRun(sorted, 0, ranking)) among.set(member, rank);
    const entries = await this.numbering.ofEach(lines, ranking);
    return entries.map((entry) => entry && { ...entry, among: among.get(entry.member) as number });
  }

  /**
   * About where the member stands, from its score and a table of the board's quantiles; null for a missing member. One
   * round trip, one command; the first estimate of an instance, and the first after a time without any, reads the table
   * before (on one shard 8 round trips with the default options, which take Redis 2 ms each).
   *
   * The rank is ordinal, whatever the board's ranking. `error` bounds how far off it is for the board as it was when the
   * table was read ({@link estimatesReadAt}): always on up to 5 shards, with a probability of 99.95 % on more, whatever
   * the scores. It is at most a twentieth of a percent of the board's size with the default options, and 0 for the best
   * `exactTop`. Of what changed since then it says nothing.
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

  /**
   * All entries in rank order, by ordinal rank, about `size` of them at a time: for a board that nobody writes meanwhile.
   * Memory is that of two pages. One round trip a page, which is asked for while the one before is worked on.
   */
  async *walk(size: number): AsyncGenerator<Entry<S>[], void, undefined> {
    checkedWhole('size', size, 1);
    let rank: number = this.firstRank;
    for await (const lines of walk(this.parts, this.layout.order, size)) {
      yield lines.map((line) => {
        const { member, score, reachedAt } = this.layout.read(line);
        return { member, score, rank: rank++, reachedAt };
      });
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

/**
 * One member's entries on many boards, in the order of the boards, null where it has none. All are asked at once: as many
 * round trips as {@link BoardReader.entry} takes on one of them.
 */
export function entriesOn<S extends Score>(
  boards: readonly BoardReader<S>[],
  member: string,
  options?: RankingOption,
): Promise<(Entry<S> | null)[]> {
  return Promise.all(boards.map((board) => board.entry(member, options)));
}

function checkedFirstRank(firstRank: 0 | 1): 0 | 1 {
  if (firstRank === 0 || firstRank === 1) return firstRank;
  throw new LeaderboardError('invalidOption', `firstRank is ${String(firstRank)}: use 0 or 1.`);
}
