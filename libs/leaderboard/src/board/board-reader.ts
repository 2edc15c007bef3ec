import { BoardMeasures } from './board-measures';
import type { BoardHead, BoardPage, BoardReaderOptions, EntryAmong, RankingOption } from './board-reader.types';
import { checkedRanking } from './order/entry';
import { checkedWhole } from '../errors/checks';
import { systemClock } from '../time/clock';
import { cursorScope, readCursor, writeCursor } from './cursor';
import type { Entry, Ranking, Score } from './order/entry';
import { LeaderboardError } from '../errors/errors';
import { checkedMember } from '../keys/keys';
import { afterLine, type Bound } from './order/bound';
import { DistinctScores } from './distinct-scores';
import { boardOrder, type Line } from './order/line';
import { Ranks } from './ranking';
import { sum } from '../lists/lists';
import { aheadOfAll } from './shards/stream';
import type { RedisClient } from '../redis/run';

/** So many lines are read by one call: some three milliseconds of Redis. */
const linesACall = 5_000;

/**
 * Exact reads of one board that lies in one shard or in many: the same answers either way.
 *
 * Round trips are stated for one shard. With several shards of one Redis a window around a member costs two more; on a
 * Cluster a read costs one more to find where it begins, and a page far down a few more, whatever its offset. Rankings:
 * `competition` adds a round trip to pages and windows that do not begin at the top; `dense` does so to every read, one
 * for each 1,000 distinct scores ahead of the page, O(log N) each, between which Redis does other work. Rejects with
 * `invalidArgument` what is malformed, with `unavailable` where no master of a Cluster serves a slot, with ioredis' errors
 * where Redis does not answer else.
 */
export class BoardReader<S extends Score = number> extends BoardMeasures<S> {
  private readonly numbering: Ranks<S>;
  private readonly ranking: Ranking;
  private readonly scope: string;

  constructor(redis: RedisClient, options: BoardReaderOptions<S>) {
    super(redis, options);
    const { keys, layout, ranking = 'ordinal' } = options;
    const distinct = { maxAgeMs: options.denseMaxAgeMs ?? 0, clock: options.clock ?? systemClock };
    this.numbering = new Ranks(this.parts, layout, this.firstRank, new DistinctScores(this.parts, layout, distinct));
    this.ranking = checkedRanking(ranking, 'invalidOption');
    this.scope = cursorScope([...keys, layout.id, layout.order]);
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
   * The member's entry; null where there is none. One round trip; two where the ranking is dense, or several shards lie on
   * a Cluster.
   */
  async entry(member: string, options?: RankingOption): Promise<Entry<S> | null> {
    const ranking = this.rankingOf(options);
    if (ranking !== 'ordinal') return (await this.entries([member], options))[0] ?? null;
    const place = await this.parts.place(checkedMember(member));
    return place && ((await this.numbering.ofRun([place.line], place.ahead, ranking))[0] ?? null);
  }

  /** The members' entries in the order asked, null in the place of one that is missing. As many round trips as {@link entry}. */
  async entries(members: readonly string[], options?: RankingOption): Promise<(Entry<S> | null)[]> {
    members.forEach(checkedMember);
    const ranking = this.rankingOf(options);
    if (members.length === 0) return [];
    return (await this.numbering.ofMembers(members, ranking)).map((one) => one && one.entry);
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
   * The members' ranks in the order asked, null in the place of one that is missing. As many round trips as {@link entry}.
   */
  async ranks(members: readonly string[], options?: RankingOption): Promise<(number | null)[]> {
    members.forEach(checkedMember);
    const ranking = this.rankingOf(options);
    if (members.length === 0) return [];
    return (await this.numbering.ofMembers(members, ranking)).map((one) => one && one.entry.rank);
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
      const { lines, ahead } = await this.lines.at(from.offset, size + 1);
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
   * (default all) of them, passing over `offset` (0). One round trip for each 5,000: entries that move in between may be
   * left out, none is given twice.
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
    const first = await this.lines.between({ from, until }, offset, Math.min(count, linesACall));
    const lines = count > linesACall ? await this.withRest(first.lines, until, count) : first.lines;
    return this.numbering.ofRun(lines, first.ahead, ranking);
  }

  /**
   * The members' entries, each with its rank among the members given, in the order asked; null in the place of one that is
   * missing. A member given twice counts once. As many round trips as {@link entry}.
   */
  async rankAmong(members: readonly string[], options?: RankingOption): Promise<(EntryAmong<S> | null)[]> {
    members.forEach(checkedMember);
    const ranking = this.rankingOf(options);
    if (members.length === 0) return [];
    const ranked = await this.numbering.ofMembers(members, ranking);
    const distinct = new Map(ranked.flatMap((one) => (one ? [[one.line.element, one.line]] : [])));
    const sorted = [...distinct.values()].sort(boardOrder(this.layout.order));
    const among = new Map<string, number>();
    for (const { member, rank } of await this.numbering.ofRun(sorted, 0, ranking)) among.set(member, rank);
    return ranked.map((one) => one && { ...one.entry, among: among.get(one.entry.member) as number });
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
      ({ lines: read } = await this.lines.between({ from: afterLine(last), until }, 0, linesACall));
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
