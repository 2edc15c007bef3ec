import { boardScripts as scripts } from '../../scripts/board.generated';
import type { Bound, Score } from '../order/order';
import { BoardShards } from './board-shards';
import type { LineRange, Run, Standing } from './shard-lines';

const nothing: Run = { ahead: 0, lines: [] };

/** A board that lies in one shard: Redis' own ranks are the board's. */
export class OneShard<S extends Score> extends BoardShards<S> {
  async at(offset: number, count: number): Promise<Run> {
    const direction = this.layout.order === 'desc' ? ['REV'] : [];
    const [lines] = await this.calls.send([
      ['zrange', this.key, offset, offset + count - 1, ...direction, 'WITHSCORES'],
    ]);
    return { ahead: offset, lines: this.linesIn(lines as string[]) };
  }

  async behind(bound: Bound, count: number): Promise<Run> {
    return (await this.after(bound, { count }))[0] ?? nothing;
  }

  async between(range: LineRange, offset: number, count: number): Promise<Run> {
    return (await this.after(range.from, { skip: offset, count, range }))[0] ?? nothing;
  }

  async around(members: readonly string[], radius: number, index = -1): Promise<Standing[]> {
    const own = { shard: this.key, vectors: this.options.vectorKeys?.[0] };
    const args = { order: this.layout.order, floor: this.floor, radius, index, members };
    const reply = JSON.parse(String(await this.calls.runIn(scripts.readAround, own, args))) as unknown[];
    const [size, first, ...windows] = reply as [number, string[] | false, ...unknown[]];
    const marked = first ? (this.linesIn(first)[0] ?? null) : null;
    return members.map((_, i) => {
      const [ahead, lines] = windows.slice(2 * i, 2 * i + 2) as [number, string[] | false];
      return { size, marked, window: lines ? { ahead, lines: this.linesIn(lines) } : null };
    });
  }

  override async ahead(member: string): Promise<number | null> {
    const { vectorKeys, minScore } = this.options;
    if (vectorKeys || minScore !== -Infinity) return super.ahead(member);
    const [rank] = await this.calls.send([[this.layout.order === 'desc' ? 'zrevrank' : 'zrank', this.key, member]]);
    return rank as number | null;
  }

  private get key(): string {
    return this.options.keys[0] as string;
  }
}
