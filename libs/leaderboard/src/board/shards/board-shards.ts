import { chunksOf, groupBy, sum } from '../../lists/lists';
import type { Argument, Given, RedisClient } from '../../redis/run';
import type { Names, Script } from '../../scripts/script';
import { scripts } from '../../scripts/scripts.generated';
import { boardSender, type Sender } from './sender';
import type { Grouping } from '../layouts/layout';
import { afterScore, beforeLine, type Bound } from '../order/bound';
import type { Line } from '../order/line';
import type { Command } from '../../redis/send';
import type {
  Around,
  BoardShardsOptions,
  FoundGroups,
  LineRange,
  LinesOfRange,
  Near,
  Nearness,
  Placed,
  Placing,
  Run,
  Sample,
  ShardHead,
  Slice,
  Standing,
  Steps,
} from './shard-lines';
import { inTurn } from '../../redis/turns';

/** A script over any number of a board's shards. */
export type ShardsScript<A extends Names> = Script<{ readonly shards: 'list' }, A>;

/** Shards that one script call may read together. */
export type ShardGroup = readonly number[];

/** A script's call over some shards: their keys and arguments, and what is made of its reply. */
export interface ShardsCall<A extends Names> {
  readonly script: ShardsScript<A>;
  /** The keys of a shard. Default: its sorted set. */
  readonly keysOf?: ((group: ShardGroup) => readonly string[]) | undefined;
  readonly argsOf: (group: ShardGroup) => Given<A, Argument>;
  readonly take: (reply: unknown, group: ShardGroup) => void;
}

/** A longer call would keep other clients of that Redis waiting. */
const spreadLinesACall = 500;

/** The most members one command asks for. */
const maxMembersACommand = 5_000;

/**
 * So many bounds are counted in one script call, each on each shard: more would keep other clients of that Redis
 * waiting.
 */
const maxCountsACall = 4_000;

/** So many distinct scores are found in one script call, about two milliseconds of Redis. */
const scoresACall = 1_000;

/** Each line for itself. */
const apart: Placing = { size: -1, boundOf: beforeLine };

/**
 * The shards of one board as they lie in Redis: every command that a read sends is sent from here, one round trip each
 * where nothing else is said. {@link OneShard}, {@link OneServer} and {@link ClusterShards} find runs of lines each in
 * its own way.
 */
export abstract class BoardShards {
  readonly count: number;
  protected readonly sender: Sender;

  constructor(
    protected readonly redis: RedisClient,
    protected readonly options: BoardShardsOptions,
  ) {
    this.count = options.keys.length;
    this.sender = boardSender(redis, options);
  }

  /** All shards, in the groups that one script call each may read now. */
  protected abstract groups(): readonly ShardGroup[];

  /** Whether one script call may read, and change, all shards. */
  abstract readonly areTogether: boolean;

  /**
   * Up to `count` lines, passing over the first `offset`. Lines that come and go meanwhile may move the run by a few
   * places; its ranks are right as of the moment at which it was read.
   */
  abstract at(offset: number, count: number): Promise<Run>;

  /** Up to `count` lines behind a bound. */
  abstract behind(bound: Bound, count: number): Promise<Run>;

  /**
   * Up to `count` lines of a range, passing over the first `offset` of them. Others that come and go do not disturb it.
   */
  abstract between(range: LineRange, offset: number, count: number): Promise<Run>;

  /**
   * The member's line and `radius` neighbours on each side, filled up from the other side at the ends, null without the
   * member; and how many lines there are, where that comes with them.
   */
  abstract around(member: string, radius: number): Promise<Around>;

  /** As {@link around}, with how many lines there are and the line at `index`. As many round trips. */
  abstract standing(member: string, radius: number, index: number): Promise<Standing>;

  /** The member's line and how many lines of all shards stand ahead of it; null where there is none. */
  async place(member: string): Promise<Placed | null> {
    return (await this.places([member], apart))[0] ?? null;
  }

  /**
   * How many lines of all shards stand ahead of the member's; null where there is none. As many round trips as `place`.
   */
  async ahead(member: string): Promise<number | null> {
    return (await this.place(member))?.ahead ?? null;
  }

  /** The lines of several members, null where there is none. */
  async find(members: readonly string[]): Promise<(Line | null)[]> {
    const { keys, vectorKeys, minScore, shardOf } = this.options;
    const places = [...groupBy(members.keys(), (place) => shardOf(members[place] as string))].flatMap(([shard, own]) =>
      chunksOf(own, maxMembersACommand).map((chunk) => [shard, chunk] as const),
    );
    const commands = places.map(([shard, own]): Command => {
      const name = vectorKeys ? 'hmget' : 'zmscore';
      return [name, (vectorKeys ?? keys)[shard] as string, ...own.map((place) => members[place] as string)];
    });
    const replies = (await this.sender.send(commands)) as (string | number | null)[][];
    const found = new Array<Line | null>(members.length).fill(null);
    places.forEach(([, own], i) => {
      own.forEach((place, j) => {
        const value = replies[i]?.[j] ?? null;
        const line = value === null ? null : this.lineOf(members[place] as string, value);
        if (line && line.score >= minScore) found[place] = line;
      });
    });
    return found;
  }

  /** How many lines each shard has, and its first `count`. */
  async heads(count: number): Promise<ShardHead[]> {
    const { order, minScore } = this.options;
    const args = { order, floor: redisNumber(minScore), count };
    const replies = (await this.run(scripts.readHead, args)) as [number, string[]][];
    return replies.map(([size, lines]) => ({ size, lines: this.linesIn(lines) }));
  }

  /** How many lines each shard has. */
  async sizes(): Promise<number[]> {
    const { keys, minScore } = this.options;
    const all = minScore === -Infinity;
    const commands = keys.map((key): Command => (all ? ['zcard', key] : ['zcount', key, minScore, '+inf']));
    return (await this.sender.send(commands)).map(Number);
  }

  /**
   * Of each group of shards, for each bound, how many lines it has and how many stand ahead of the bound, with the
   * nearest of them on both sides, and its `first` lines: `[bound][group]`.
   */
  protected async nearEach(
    bounds: readonly Bound[],
    { before, behind, first }: Nearness,
  ): Promise<readonly (readonly Near[])[]> {
    const { order, minScore } = this.options;
    const flat = bounds.flatMap(({ score, place }) => [redisNumber(score), place]);
    const args = { order, floor: redisNumber(minScore), before, behind, first, bounds: flat };
    const found = bounds.map((): Near[] => []);
    const take = (reply: unknown) => {
      const [size, firstLines, near] = reply as [number, string[], (number | string[])[]];
      const head = this.linesIn(firstLines);
      found.forEach((of, b) => {
        const [start, ahead, lines] = near.slice(3 * b, 3 * b + 3) as [number, number, string[]];
        of.push({ size, start, ahead, lines: this.linesIn(lines), head });
      });
    };
    await this.call(this.groups(), { script: scripts.readNear, argsOf: () => args, take });
    return found;
  }

  /** Of each shard how many lines it has, and at most `count` of them at even distances. */
  async samples(steps: readonly Steps[], count: number): Promise<ShardHead[]> {
    const { order, minScore } = this.options;
    const samples = new Array<ShardHead>(this.count);
    await this.call(this.groups(), {
      script: scripts.readSamples,
      argsOf: (group) => {
        const places = group.flatMap((shard) => [(steps[shard] as Steps).first, (steps[shard] as Steps).distance]);
        return { order, floor: redisNumber(minScore), count, places };
      },
      take: (reply, group) => {
        (reply as [number, string[]][]).forEach(([size, lines], i) => {
          samples[group[i] as number] = { size, lines: this.linesIn(lines) };
        });
      },
    });
    return samples;
  }

  /** The lines of each slice, fewer at a shard's end. */
  async slices(slices: readonly Slice[]): Promise<Line[][]> {
    const { keys, order } = this.options;
    const direction = order === 'desc' ? ['REV'] : [];
    const commands = slices.map(({ shard, start, count }): Command => {
      return ['zrange', keys[shard] as string, start, start + count - 1, ...direction, 'WITHSCORES'];
    });
    const replies = (await this.sender.send(commands)) as string[][];
    return replies.map((reply) => this.linesIn(reply));
  }

  /**
   * How many lines stand ahead of each bound: `[shard][bound]`. One round trip, in several calls where there are many.
   */
  async countAhead(bounds: readonly Bound[]): Promise<number[][]> {
    const { keys, order, minScore } = this.options;
    const shown = bounds.map((bound) => (bound.score < minScore ? afterScore(minScore) : bound));
    const chunks = await Promise.all(
      chunksOf(shown, chunkSize(this.widest())).map(async (chunk) => {
        const flat = chunk.flatMap(({ score, place }) => [redisNumber(score), place]);
        const counts = (await this.run(scripts.countAhead, { order, bounds: flat }, chunk.length)) as number[];
        return keys.map((_, shard) => counts.slice(shard * chunk.length, (shard + 1) * chunk.length));
      }),
    );
    return keys.map((_, shard) => chunks.flatMap((counts) => counts[shard] as number[]));
  }

  /**
   * Of each shard at most `count` lines behind the bound, `skip` (0) of them passed over: of a range none behind it,
   * and with it how many stand ahead of it.
   */
  async after(
    bound: Bound,
    options: { readonly skip?: number; readonly count: number; readonly range?: LineRange | undefined },
  ): Promise<LinesOfRange[]> {
    const { skip = 0, count, range } = options;
    const args = {
      order: this.options.order,
      score: redisNumber(bound.score),
      place: bound.place,
      skip,
      count,
      ...(range && {
        untilScore: redisNumber(range.until.score),
        untilPlace: range.until.place,
        baseScore: redisNumber(range.from.score),
        basePlace: range.from.place,
      }),
    };
    const replies = (await this.run(scripts.readAfter, args)) as [number, string[], number][];
    return replies.map(([ahead, lines, base]) => ({ ahead, lines: this.linesIn(lines), base }));
  }

  /**
   * Of each shard `count` lines at even distances, the first of them at a place drawn at random; all lines of a shard
   * that has no more. One shard after the other, one round trip for each 500 lines: nobody has to wait long in between.
   */
  async spread(count: number): Promise<Sample[]> {
    const samples: Sample[] = [];
    for (const [shard, size] of (await this.sizes()).entries()) {
      const wanted = Math.min(count, size);
      const start = Math.random();
      const step = size / wanted;
      const lines: Line[] = [];
      for (let from = 0; from < wanted; from += spreadLinesACall) {
        const own = { shard: this.options.keys[shard] as string };
        const first = (from + start) * step;
        const args = { order: this.options.order, first, step, count: Math.min(spreadLinesACall, wanted - from) };
        lines.push(...this.linesIn((await this.sender.run(scripts.readSpread, own, args)) as string[]));
      }
      samples.push({ size, lines, start });
    }
    return samples;
  }

  /** At most `count` lines behind the bound of each of some shards that lie in one slot, all as of one moment. */
  async linesOfEach(some: readonly number[], bound: Bound, count: number): Promise<Line[][]> {
    const args = { order: this.options.order, score: redisNumber(bound.score), place: bound.place, skip: 0, count };
    const reply = (await this.runIn(some, scripts.readAfter, args)) as [number, string[]][];
    return reply.map(([, lines]) => this.linesIn(lines));
  }

  /** How many lines some shards that lie in one slot have together, as of one moment. */
  async sizeOfEach(some: readonly number[]): Promise<number> {
    const { order, minScore } = this.options;
    const args = { order, floor: redisNumber(minScore), count: 1 };
    const reply = (await this.runIn(some, scripts.readHead, args)) as [number, string[]][];
    return sum(reply.map(([size]) => size));
  }

  /**
   * The members' lines, and how many stand ahead of their places; null where there is none. One round trip and one
   * moment for each chunk of many members; two if several shards lie on a Cluster. A member's own shard is of one
   * moment there too, except on lexical boards, so that a member never stands ahead of itself.
   */
  async places(members: readonly string[], placing: Placing): Promise<(Placed | null)[]> {
    const { vectorKeys, shardOf } = this.options;
    // A slot on its way to another master may have but one of a shard's two keys: no call asks for both.
    const isApart = vectorKeys !== undefined && this.redis.isCluster;
    const found = isApart
      ? (await this.find(members)).map((line) => line && { line, ahead: 0 })
      : await this.placesInCalls(members, placing);
    if (this.areTogether && !isApart) return found;
    const counts = await this.countAhead(found.flatMap((one) => (one ? [placing.boundOf(one.line)] : [])));
    let next = 0;
    return found.map((one, place) => {
      if (!one) return null;
      const i = next++;
      const own = isApart ? -1 : shardOf(members[place] as string);
      return {
        line: one.line,
        ahead: one.ahead + sum(counts.map((of, shard) => (shard === own ? 0 : (of[i] as number)))),
      };
    });
  }

  /** The members' places: among all shards if one call may read them all, else among those of their own shard. */
  private async placesInCalls(members: readonly string[], { size, most }: Placing): Promise<(Placed | null)[]> {
    const { keys, vectorKeys = [], order, minScore } = this.options;
    const found = new Array<Placed | null>(members.length).fill(null);
    const counted = this.areTogether ? this.count : 1;
    await Promise.all(
      chunksOf([...members.keys()], chunkSize(counted)).map((chunk) => {
        const byShard = groupBy(chunk, (place) => this.options.shardOf(members[place] as string));
        return this.call(this.areTogether ? this.groups() : groupsWith(this.groups(), byShard), {
          script: scripts.readRanks,
          keysOf: (group) => [...group.map((shard) => keys[shard] as string), ...vectorKeys],
          argsOf: (group) => ({
            order,
            floor: redisNumber(minScore),
            size: most === undefined ? redisNumber(size) : `${size},${most}`,
            count: group.length,
            among: this.areTogether ? 'all' : 'own',
            members: namedIn(group, byShard, members),
          }),
          take: (reply, group) => {
            placesIn(group, byShard).forEach((place, i) => {
              const [value, ahead] = (reply as (string | number | null)[]).slice(2 * i, 2 * i + 2);
              if (value == null || ahead == null) return;
              found[place] = { line: this.lineOf(members[place] as string, value), ahead: Number(ahead) };
            });
          },
        });
      }),
    );
    return found;
  }

  /**
   * The next groups of each shard whose scores are better than that of the bound, some of them of several shards. One
   * round trip and at most {@link scoresACall} scores; later calls of a walk wait for their turn.
   */
  async distinctAhead(
    grouping: Grouping,
    { bound, edges, isFirst }: { readonly bound: Bound; readonly edges: readonly string[]; readonly isFirst: boolean },
  ): Promise<FoundGroups> {
    const { keys, order } = this.options;
    const args = { order, ...groupsOf(grouping, bound), most: scoresACall };
    const found: (number | string | string[])[] = [];
    await Promise.all(
      this.groups().map((group) => {
        const call = () =>
          this.call([group], {
            script: scripts.distinctAhead,
            argsOf: (some) => ({ ...args, edges: some.map((shard) => edges[shard] as string) }),
            take: (reply, some) => scatter(found, reply as (number | string | string[])[], some, 3),
          });
        return isFirst ? call() : inTurn(this.redis, call);
      }),
    );
    const lineOf = (text: string): Line =>
      grouping.by === 'score' ? { score: Number(text), element: '' } : { score: 0, element: text };
    return {
      lines: keys.flatMap((_, shard) => (found[3 * shard + 2] as string[]).map(lineOf)),
      edges: keys.map((_, shard) => found[3 * shard + 1] as string),
      isDone: keys.every((_, shard) => found[3 * shard] === 1),
    };
  }

  /** Runs a script over all shards, in one call for each group. Of each shard `width` values, in the shards' order. */
  protected async run<A extends Names>(
    script: ShardsScript<A>,
    args: Given<A, Argument>,
    width = 1,
  ): Promise<unknown[]> {
    const found: unknown[] = [];
    const take = (reply: unknown, group: ShardGroup) => scatter(found, reply as unknown[], group, width);
    await this.call(this.groups(), { script, argsOf: () => args, take });
    return found;
  }

  /** Makes a call for each group. */
  protected async call<A extends Names>(groups: readonly ShardGroup[], call: ShardsCall<A>): Promise<void> {
    await Promise.all(groups.map((group) => this.callOne(group, call)));
  }

  protected async callOne<A extends Names>(group: ShardGroup, call: ShardsCall<A>): Promise<void> {
    const { script, argsOf, take } = call;
    take(await this.sender.run(script, { shards: this.keysOf(group, call) }, argsOf(group)), group);
  }

  protected keysOf<A extends Names>(group: ShardGroup, { keysOf }: ShardsCall<A>): readonly string[] {
    return keysOf ? keysOf(group) : group.map((shard) => this.options.keys[shard] as string);
  }

  /** Runs a script over some shards in one call, whose reply is of all of them together. */
  protected runIn<A extends Names>(
    some: ShardGroup,
    script: ShardsScript<A>,
    args: Given<A, Argument>,
  ): Promise<unknown> {
    return this.sender.run(script, { shards: some.map((shard) => this.options.keys[shard] as string) }, args);
  }

  /** How many shards one call reads at most. */
  protected widest(): number {
    return Math.max(...this.groups().map(({ length }) => length));
  }

  /** The member's line, by the value that Redis has: the score, or on a lexical board the vector. */
  protected lineOf(member: string, value: string | number): Line {
    return this.options.vectorKeys
      ? { score: 0, element: `${value}${member}` }
      : { score: Number(value), element: member };
  }

  protected linesIn(reply: readonly string[]): Line[] {
    const lines: Line[] = [];
    for (let i = 0; i < reply.length; i += 2) {
      const score = Number(reply[i + 1]);
      if (score < this.options.minScore) break;
      lines.push({ element: reply[i] as string, score });
    }
    return lines;
  }
}

/** Puts the values of a reply, `width` of each shard of a group, where they lie in the order of all shards. */
function scatter<T>(found: T[], reply: readonly T[], group: ShardGroup, width: number): void {
  group.forEach((shard, i) => {
    for (let w = 0; w < width; w++) found[shard * width + w] = reply[i * width + w] as T;
  });
}

/** Of each group the shards that have something; groups that have nothing are left out. */
export function groupsWith(groups: readonly ShardGroup[], byShard: ReadonlyMap<number, unknown>): ShardGroup[] {
  return groups.flatMap((group) => {
    const own = group.filter((shard) => byShard.has(shard));
    return own.length > 0 ? [own] : [];
  });
}

/** The places, in a list of members, of those that lie in some shards. */
export function placesIn(group: ShardGroup, byShard: ReadonlyMap<number, readonly number[]>): number[] {
  return group.flatMap((shard) => byShard.get(shard) ?? []);
}

/** The same as a script takes them: the number of the shard among those of the call, from 1, and the member. */
export function namedIn(
  group: ShardGroup,
  byShard: ReadonlyMap<number, readonly number[]>,
  members: readonly string[],
): (string | number)[] {
  return group.flatMap((shard, i) => (byShard.get(shard) ?? []).flatMap((place) => [i + 1, members[place] as string]));
}

/** How many bounds, or members, one call counts on so many shards. */
function chunkSize(shards: number): number {
  return Math.max(1, Math.floor(maxCountsACall / shards));
}

/** How the lines are grouped, and the bound by its group, in the form of the script that walks them. */
function groupsOf(grouping: Grouping, bound: Bound) {
  return grouping.by === 'score'
    ? { grouping: 'score', size: redisNumber(grouping.unit), bound: redisNumber(bound.score) }
    : { grouping: 'prefix', size: grouping.length, bound: bound.place.slice(1) };
}

/** A double as Redis reads it: all 53 bits survive, JavaScript writes the shortest text that gives the same double. */
export function redisNumber(value: number): string {
  if (value === Infinity) return '+inf';
  if (value === -Infinity) return '-inf';
  return String(value);
}
