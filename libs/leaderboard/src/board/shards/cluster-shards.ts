import clusterKeySlot from 'cluster-key-slot';
import type { Cluster } from 'ioredis';
import { chunksOf, groupBy, sum } from '../../lists/lists';
import { behind, type Argument, type Given, type RedisClient } from '../../redis/run';
import { AskedTogether } from '../../redis/asked-together';
import { splitOf } from '../../redis/served';
import type { Names } from '../../scripts/script';
import { scripts } from '../../scripts/scripts.generated';
import { aheadOfAll, type Bound } from '../order/bound';
import type { Line } from '../order/line';
import {
  groupsWith,
  namedIn,
  placesIn,
  redisNumber,
  type ShardGroup,
  type ShardsCall,
  type ShardsScript,
} from './board-shards';
import { ManyShards } from './many-shards';
import type { BoardShardsOptions, LineRange, LinesOfRange, Near, Nearness, Run } from './shard-lines';
import { mergedLines, untilWhole, type Attempt } from './merge';
import { findNear, tolerance, type Sought } from './page-search';

/** The most members one call asks for. */
const maxMembersACall = 5_000;

/** So many lines one call reads for all whom it is for: two milliseconds of Redis. */
const maxLinesACall = 4_000;

/** So many members' places are asked for together: a millisecond of Redis on six shards. */
const maxTogether = 64;

/** What stands near to a bound, as one of many asks for it. */
interface Asked {
  readonly bound: Bound;
  readonly nearness: Nearness;
}

interface Spanned extends Names {
  readonly spanned: 'list';
}

/** The script with keys of several slots that one master serves. */
const spanning = behind(scripts.spanSlots, { keys: {}, args: { spanned: 'list' } }) as unknown as <A extends Names>(
  script: ShardsScript<A>,
) => ShardsScript<A & Spanned>;

/**
 * A board in several shards of a Cluster: one call reads those that one master serves. Calls to different masters are
 * of different moments.
 */
export class ClusterShards extends ManyShards {
  override readonly areTogether = false;
  private readonly slots: readonly number[];
  /** Who served the shards when they were last grouped. */
  private masters: readonly (string | undefined)[] = [];
  private byMaster: readonly ShardGroup[] = [];
  /** Whether one call may read several shards. */
  private spans: boolean;
  /** What many ask for at once is a call a master for all of them. */
  private readonly counting = new AskedTogether<readonly Bound[], number[][]>(
    (asked) => this.countTogether(asked),
    maxTogether,
  );
  private readonly nearing = new AskedTogether<Asked, readonly Near[]>(
    (asked) => this.nearTogether(asked),
    maxTogether,
  );

  constructor(redis: RedisClient, options: BoardShardsOptions) {
    super(redis, options);
    this.slots = options.keys.map((key) => clusterKeySlot(key));
    this.spans = options.expiring === undefined;
  }

  at(offset: number, count: number): Promise<Run> {
    const first = aheadOfAll(this.options.order);
    if (offset === 0) return this.behind(first, count);
    return untilWhole((tries) => this.runAt({ from: first, low: null, high: null, offset, count }, tries));
  }

  async behind(bound: Bound, count: number): Promise<Run> {
    const wanted = { order: this.options.order, shards: this.count, expected: count, most: count, count };
    const run = await mergedLines(wanted, async (share) => {
      const read = await this.after(bound, { count: share });
      return { ...shardLines(read), drop: 0, isAtPlace: true };
    });
    return run ?? { ahead: 0, lines: [] };
  }

  between(range: LineRange, offset: number, count: number): Promise<Run> {
    const { from, until } = range;
    return untilWhole(async (tries) => {
      const counts = await this.countAhead([from, until]);
      const low = counts.map(([ahead]) => ahead as number);
      const high = counts.map(([ahead, end]) => Math.max(end as number, ahead as number));
      return this.runAt({ from, low, high, offset, count, range }, tries);
    });
  }

  override async find(members: readonly string[]): Promise<(Line | null)[]> {
    if (members.length === 1) return super.find(members);
    const { keys, vectorKeys, minScore, shardOf } = this.options;
    const found = new Array<Line | null>(members.length).fill(null);
    await Promise.all(
      chunksOf([...members.keys()], maxMembersACall).map((chunk) => {
        const byShard = groupBy(chunk, (place) => shardOf(members[place] as string));
        return this.call(groupsWith(this.groups(), byShard), {
          script: scripts.readScores,
          keysOf: (group) => group.map((shard) => (vectorKeys ?? keys)[shard] as string),
          argsOf: (group) => ({
            command: vectorKeys ? 'HGET' : 'ZSCORE',
            members: namedIn(group, byShard, members),
          }),
          take: (reply, group) => {
            placesIn(group, byShard).forEach((place, i) => {
              const value = (reply as (string | null)[])[i] ?? null;
              const line = value === null ? null : this.lineOf(members[place] as string, value);
              if (line && line.score >= minScore) found[place] = line;
            });
          },
        });
      }),
    );
    return found;
  }

  override countAhead(bounds: readonly Bound[]): Promise<number[][]> {
    return bounds.length > maxTogether ? super.countAhead(bounds) : this.counting.ask(bounds);
  }

  protected override near(bound: Bound, nearness: Nearness): Promise<readonly Near[]> {
    return this.nearing.ask({ bound, nearness });
  }

  private async nearTogether(asked: readonly Asked[]): Promise<(readonly Near[])[]> {
    const found = new Array<readonly Near[]>(asked.length);
    const alike = groupBy(asked.keys(), (i) => Object.values((asked[i] as Asked).nearness).join());
    const calls = [...alike.values()].flatMap((places) => {
      const { before, behind } = (asked[places[0] as number] as Asked).nearness;
      return chunksOf(places, Math.max(1, Math.floor(maxLinesACall / ((before + behind) * this.widest()))));
    });
    await Promise.all(
      calls.map(async (places) => {
        const bounds = places.map((i) => (asked[i] as Asked).bound);
        const near = await this.nearEach(bounds, (asked[places[0] as number] as Asked).nearness);
        places.forEach((i, n) => (found[i] = near[n] as readonly Near[]));
      }),
    );
    return found;
  }

  private async countTogether(asked: readonly (readonly Bound[])[]): Promise<number[][][]> {
    const counts = await super.countAhead(asked.flat());
    let next = 0;
    return asked.map(({ length }) => {
      const first = next;
      next += length;
      return counts.map((ofShard) => ofShard.slice(first, next));
    });
  }

  override async sizes(): Promise<number[]> {
    const { order, minScore } = this.options;
    const replies = (await this.run(scripts.readHead, { order, floor: redisNumber(minScore), count: 0 })) as [number][];
    return replies.map(([size]) => size);
  }

  /** By the master that serves them; each by itself if members expire, as such reads write. */
  protected override groups(): readonly ShardGroup[] {
    const { slots } = this.redis as Cluster;
    const { masters } = this;
    if (masters.length > 0 && this.slots.every((slot, shard) => slots[slot]?.[0] === masters[shard])) {
      return this.byMaster;
    }
    this.masters = this.slots.map((slot) => slots[slot]?.[0]);
    const masterOf = (shard: number) => (this.spans ? (this.masters[shard] ?? shard) : shard);
    this.byMaster = [...groupBy(this.slots.keys(), masterOf).values()];
    return this.byMaster;
  }

  /** Where the master does not serve all of the shards any more, they are read one by one. */
  protected override async callOne<A extends Names>(group: ShardGroup, call: ShardsCall<A>): Promise<void> {
    if (group.length === 1) return super.callOne(group, call);
    const [first, ...others] = this.keysOf(group, call) as [string, ...string[]];
    const args = { ...call.argsOf(group), spanned: [...others, others.length] } as Given<A & Spanned, Argument>;
    let reply: unknown;
    try {
      reply = await this.sender.run(spanning(call.script), { shards: [first] }, args);
    } catch (error) {
      const split = splitOf(error);
      if (split === null) throw error;
      if (split === 'refused') this.readApart();
      await Promise.all(group.map((shard) => super.callOne([shard], call)));
      return;
    }
    call.take(reply, group);
  }

  private readApart(): void {
    this.spans = false;
    this.masters = [];
  }

  /**
   * Up to `count` lines from the one at `offset` behind a bound on, of a range or to the end. They are read from a line
   * near it on, with how many stand ahead of that line, and of the range, now: so they lie where they should even if
   * others came or went while it was looked for.
   */
  private async runAt({ from, low, high, offset, count, range }: Sought, tries: number): Promise<Attempt> {
    const { order } = this.options;
    const near = await findNear(this, { order, low, high, offset, isSure: tries > 1 });
    const ahead = sum(low ?? []) + offset;
    const wanted = Math.min(count, near.end - ahead);
    if (wanted <= 0) return { ahead, lines: [], isWhole: true };
    const expected = near.distance + wanted;
    const asked = { order, shards: this.count, expected, most: expected + tolerance, count };
    const run = await mergedLines(asked, async (share) => {
      const read = await this.after(near.bound ?? from, { count: share, range });
      const found = shardLines(read);
      const place = sum(read.map(({ base }) => base)) + offset;
      const drop = Math.max(0, place - found.ahead);
      return { ahead: found.ahead + drop, drop, lines: found.lines, isAtPlace: found.ahead <= place };
    });
    return run ?? { ahead, lines: [], isWhole: false };
  }
}

function shardLines(read: readonly LinesOfRange[]) {
  return { ahead: sum(read.map(({ ahead }) => ahead)), lines: read.map(({ lines }) => lines) };
}
