import { type Entry, type Line, type Ranking, type Score, beforeLine } from './order/order';
import type { BoardShards } from './shards/board-shards';
import type { Placed } from './shards/shard-lines';
import type { DistinctScores } from './distinct-scores';
import { sum } from '../lists/lists';

/** Numbers lines: the one place where rankings differ, so that a list, a member's own rank and a lookup agree. */
export class Ranks<S extends Score> {
  constructor(
    private readonly shards: BoardShards<S>,
    private readonly firstRank: number,
    private readonly distinct: DistinctScores<S>,
  ) {}

  /**
   * Entries of lines that follow one another, the first of them with `offset` lines ahead of it. One round trip more
   * unless the ranking is ordinal or the offset is 0. What it counts comes a moment after the lines: were equals of the
   * first line, or of dense ranks better scores, to come or go in between, the first rank would be off by as many, and
   * with dense ranks so would those that follow. The ranks of a run never fall.
   */
  async ofRun(lines: readonly Line[], offset: number, ranking: Ranking): Promise<Entry<S>[]> {
    const first = lines[0];
    if (!first) return [];
    if (ranking === 'ordinal') return lines.map((line, i) => this.entry(line, offset + i));
    let rank = offset === 0 ? 0 : await this.firstOfRun(first, offset, ranking);
    let group = this.shards.layout.group(first);
    return lines.map((line, i) => {
      const own = this.shards.layout.group(line);
      if (own !== group) {
        group = own;
        rank = ranking === 'dense' ? rank + 1 : offset + i;
      }
      return this.entry(line, rank);
    });
  }

  /** Members' entries, with their lines. One round trip; two on a Cluster of shards; of dense ranks also theirs. */
  async ofMembers(members: readonly string[], ranking: Ranking) {
    const placed = await (ranking === 'dense' ? this.densely(members) : this.shards.places(members, ranking));
    return placed.map((one) => one && { line: one.line, entry: this.entry(one.line, one.ahead) });
  }

  private async densely(members: readonly string[]): Promise<(Placed | null)[]> {
    const lines = await this.shards.find(members);
    const ranks = await this.distinct.ahead(lines.filter((line) => line !== null));
    let i = 0;
    return lines.map((line) => line && { line, ahead: ranks[i++] as number });
  }

  /** How many ranks are better than that of the first line of a run, which has `offset` lines ahead of it. */
  private async firstOfRun(first: Line, offset: number, ranking: 'competition' | 'dense'): Promise<number> {
    if (ranking === 'dense') return (await this.distinct.ahead([first]))[0] as number;
    const counts = await this.shards.countAhead([this.shards.layout.beforeGroup(first), beforeLine(first)]);
    const equals = sum(counts.map(([group, line]) => (line as number) - (group as number)));
    return Math.max(0, offset - equals);
  }

  /** The entry of a line that has so many ranks ahead of it. */
  entry(line: Line, ranksAhead: number): Entry<S> {
    const { member, score, reachedAt } = this.shards.layout.read(line);
    return { member, score, rank: this.firstRank + ranksAhead, reachedAt };
  }
}
