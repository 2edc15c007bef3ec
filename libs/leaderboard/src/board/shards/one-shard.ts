import type { RedisClient } from '../../redis/run';
import { scripts } from '../../scripts/scripts.generated';
import type { Bound } from '../order/bound';
import { BoardShards, redisNumber, type ShardGroup } from './board-shards';
import type { Around, BoardShardsOptions, LineRange, Placed, Run, Standing } from './shard-lines';

const nothing: Run = { ahead: 0, lines: [] };

/** A board that lies in one shard: Redis' own ranks are the board's. */
export class OneShard extends BoardShards {
  override readonly areTogether = true;

  constructor(redis: RedisClient, options: BoardShardsOptions) {
    super(redis, options);
  }

  protected override groups(): readonly ShardGroup[] {
    return [[0]];
  }

  async at(offset: number, count: number): Promise<Run> {
    const [lines = []] = await this.slices([{ shard: 0, start: offset, count }]);
    return { ahead: offset, lines };
  }

  async behind(bound: Bound, count: number): Promise<Run> {
    return (await this.after(bound, { count }))[0] ?? nothing;
  }

  async between(range: LineRange, offset: number, count: number): Promise<Run> {
    return (await this.after(range.from, { skip: offset, count, range }))[0] ?? nothing;
  }

  around(member: string, radius: number): Promise<Around> {
    return this.read(member, radius);
  }

  standing(member: string, radius: number, index: number): Promise<Standing> {
    return this.read(member, radius, index);
  }

  override async place(member: string): Promise<Placed | null> {
    const { vectorKeys, order, minScore } = this.options;
    if (vectorKeys) return super.place(member);
    const reply = (await this.sender.run(scripts.readMember, { shard: this.key }, { order, member })) as
      [score: string, ahead: number] | null;
    if (!reply || Number(reply[0]) < minScore) return null;
    return { line: { score: Number(reply[0]), element: member }, ahead: reply[1] };
  }

  override async ahead(member: string): Promise<number | null> {
    const { vectorKeys, order, minScore } = this.options;
    if (vectorKeys || minScore !== -Infinity) return super.ahead(member);
    const [rank] = await this.sender.send([[order === 'desc' ? 'zrevrank' : 'zrank', this.key, member]]);
    return rank as number | null;
  }

  private async read(member: string, radius: number, index?: number): Promise<Standing> {
    const { vectorKeys = [], order, minScore } = this.options;
    const own = { shard: this.key, vectors: vectorKeys[0] };
    const args = { order, floor: redisNumber(minScore), member, radius, index };
    const [size, marked, ahead, lines] = (await this.sender.run(scripts.readAround, own, args)) as [
      number,
      string[],
      number?,
      string[]?,
    ];
    return {
      size,
      marked: this.linesIn(marked)[0] ?? null,
      window: ahead === undefined || !lines ? null : { ahead, lines: this.linesIn(lines) },
    };
  }

  private get key(): string {
    return this.options.keys[0] as string;
  }
}
