import type { Entry, Ranking, Score } from '../entry';
import type { BoardLayout, Group } from '../score/layout';
import type { BoardParts } from './board-parts';
import { boardOrder, compareBytes, type Line } from './line';
import { beforeLine, type Bound } from './bound';
import { sum } from './select';

/** More in one script call would keep other clients of that Redis waiting. */
const maxMembersACall = 500;

/** Numbers lines: the one place where rankings differ, so that a list, a member's own rank and a lookup agree. */
export class Ranks<S extends Score> {
  constructor(
    private readonly parts: BoardParts,
    private readonly layout: BoardLayout<S>,
    private readonly firstRank: 0 | 1,
  ) {}

  /**
   * Entries of lines that follow one another, the first of them with `offset` lines ahead of it. One round trip more
   * unless the ranking is ordinal or the offset is 0.
   */
  async ofRun(lines: readonly Line[], offset: number, ranking: Ranking): Promise<Entry<S>[]> {
    const first = lines[0];
    if (!first) return [];
    if (ranking === 'ordinal') return lines.map((line, i) => this.entry(line, offset + i));
    let rank = offset === 0 ? 0 : ((await this.ranksAhead([first], ranking))[0] as number);
    let group = this.layout.group(first);
    return lines.map((line, i) => {
      const own = this.layout.group(line);
      if (own !== group) {
        group = own;
        rank = ranking === 'dense' ? rank + 1 : offset + i;
      }
      return this.entry(line, rank);
    });
  }

  /** Entries of lines wherever they stand, in the order given. One round trip. */
  async ofEach(lines: readonly (Line | null)[], ranking: Ranking): Promise<(Entry<S> | null)[]> {
    const known = lines.filter((line) => line !== null);
    const ranks = await this.ranksAhead(known, ranking);
    let i = 0;
    return lines.map((line) => line && this.entry(line, ranks[i++] as number));
  }

  /**
   * Members' ranks, in the order given. One round trip; two of dense ranks, of lexical boards, of boards in several parts
   * on a Cluster, and of more than {@link maxMembersACall} members.
   */
  async ofMembers(members: readonly string[], ranking: Ranking): Promise<(number | null)[]> {
    const { grouping } = this.layout;
    const isOneCall = this.parts.isInOnePlace && members.length <= maxMembersACall;
    if (ranking === 'dense' || grouping.by === 'prefix' || !isOneCall) {
      const entries = await this.ofEach(await this.parts.find(members), ranking);
      return entries.map((entry) => entry && entry.rank);
    }
    const ahead = await this.parts.ranks(members, ranking === 'ordinal' ? null : grouping);
    return ahead.map((count) => (count === null ? null : this.firstRank + count));
  }

  /** How many ranks are better than each line's. */
  private async ranksAhead(lines: readonly Line[], ranking: Ranking): Promise<number[]> {
    if (lines.length === 0) return [];
    if (ranking === 'dense') return this.denseRanks(lines);
    const bound = ranking === 'ordinal' ? beforeLine : (line: Line) => this.layout.beforeGroup(line);
    const counts = await this.parts.countAhead(lines.map(bound));
    return lines.map((_, i) => sum(counts.map((ofPart) => ofPart[i] as number)));
  }

  private async denseRanks(lines: readonly Line[]): Promise<number[]> {
    const { layout, parts } = this;
    const sorted = [...lines].sort(boardOrder(layout.order));
    const bounds = sorted.map((line): Bound => layout.beforeGroup(line));
    if (parts.count === 1) {
      const counts = await parts.countDistinctAhead(layout.grouping, bounds);
      const ranks = new Map(sorted.map((line, i) => [line.element, counts[i] as number]));
      return lines.map((line) => ranks.get(line.element) as number);
    }
    const found = new Set(await parts.distinctAhead(layout.grouping, bounds[bounds.length - 1] as Bound));
    const better = [...found].map((text): Group => (layout.grouping.by === 'score' ? Number(text) : text));
    const compare = groupOrder(layout);
    better.sort(compare);
    return lines.map((line) => countBefore(better, layout.group(line), compare));
  }

  private entry(line: Line, ranksAhead: number): Entry<S> {
    const { member, score, reachedAt } = this.layout.read(line);
    return { member, score, rank: this.firstRank + ranksAhead, reachedAt };
  }
}

function groupOrder<S extends Score>(layout: BoardLayout<S>): (a: Group, b: Group) => number {
  const ascending = (a: Group, b: Group): number =>
    typeof a === 'string' || typeof b === 'string' ? compareBytes(String(a), String(b)) : a - b;
  return layout.order === 'asc' ? ascending : (a, b) => ascending(b, a);
}

function countBefore(sorted: readonly Group[], group: Group, compare: (a: Group, b: Group) => number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(sorted[middle] as Group, group) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
