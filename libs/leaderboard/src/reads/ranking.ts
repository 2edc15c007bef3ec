import type { Entry, Ranking, Score } from '../entry';
import type { BoardLayout, Group } from '../score/layout';
import type { BoardParts, Placed } from './board-parts';
import { boardOrder, compareBytes, type Line } from './line';
import { beforeLine, type Bound } from './bound';
import { sum } from './select';

/** An entry, and the line that holds it. */
export interface Ranked<S extends Score> {
  readonly line: Line;
  readonly entry: Entry<S>;
}

/** Numbers lines: the one place where rankings differ, so that a list, a member's own rank and a lookup agree. */
export class Ranks<S extends Score> {
  constructor(
    private readonly parts: BoardParts,
    private readonly layout: BoardLayout<S>,
    private readonly firstRank: 0 | 1,
  ) {}

  /**
   * Entries of lines that follow one another, the first of them with `offset` lines ahead of it. One round trip more
   * unless the ranking is ordinal or the offset is 0. What it counts comes a moment after the lines: were equals of the first
   * line, or of dense ranks better scores, to come or go in between, the first rank would be off by as many, and with
   * dense ranks so would those that follow. The ranks of a run never fall.
   */
  async ofRun(lines: readonly Line[], offset: number, ranking: Ranking): Promise<Entry<S>[]> {
    const first = lines[0];
    if (!first) return [];
    if (ranking === 'ordinal') return lines.map((line, i) => this.entry(line, offset + i));
    let rank = offset === 0 ? 0 : await this.firstOfRun(first, offset, ranking);
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

  /**
   * Members' entries, in the order given, null for one who is missing. One round trip, and one moment; two of dense ranks,
   * and on a Cluster of boards in several parts and of lexical ones.
   */
  async ofMembers(members: readonly string[], ranking: Ranking): Promise<(Ranked<S> | null)[]> {
    const placed = await (ranking === 'dense' ? this.densely(members) : this.placed(members, ranking));
    return placed.map((one) => one && { line: one.line, entry: this.entry(one.line, one.ahead) });
  }

  private placed(members: readonly string[], ranking: 'ordinal' | 'competition'): Promise<(Placed | null)[]> {
    const { grouping } = this.layout;
    return this.parts.places(
      members,
      ranking === 'ordinal'
        ? { size: -1, boundOf: beforeLine }
        : { size: grouping.by === 'score' ? grouping.unit : 0, boundOf: (line) => this.layout.beforeGroup(line) },
    );
  }

  private async densely(members: readonly string[]): Promise<(Placed | null)[]> {
    const lines = await this.parts.find(members);
    const ranks = await this.denseRanks(lines.filter((line) => line !== null));
    let i = 0;
    return lines.map((line) => line && { line, ahead: ranks[i++] as number });
  }

  /** How many ranks are better than that of the first line of a run, which has `offset` lines ahead of it. */
  private async firstOfRun(first: Line, offset: number, ranking: 'competition' | 'dense'): Promise<number> {
    if (ranking === 'dense') return (await this.denseRanks([first]))[0] as number;
    const counts = await this.parts.countAhead([this.layout.beforeGroup(first), beforeLine(first)]);
    const equals = sum(counts.map(([group, line]) => (line as number) - (group as number)));
    return Math.max(0, offset - equals);
  }

  private async denseRanks(lines: readonly Line[]): Promise<number[]> {
    const { layout, parts } = this;
    if (lines.length === 0) return [];
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
