import { chunksOf, groupBy, sum } from '../../lists/lists';
import type { Argument, Given, RedisClient } from '../../redis/run';
import { scripts, type Names, type Script } from '../../scripts/scripts.generated';
import { boardSender, type Sender } from './sender';
import type { Grouping } from '../layouts/layout';
import { afterScore, beforeLine, type Bound } from '../order/bound';
import type { Line } from '../order/line';
import type { Command } from '../../redis/send';
import type {
  BoardShardsOptions,
  FoundGroups,
  LineRange,
  LinesOfRange,
  Placed,
  Placing,
  Run,
  Sample,
  ShardHead,
  Slice,
  Standing,
} from './shard-lines';
import { inTurn } from '../../redis/turns';

/** A script over any number of a board's shards. */
type ShardsScript<A extends Names> = Script<{ readonly shards: 'list' }, A>;

/** A longer call would keep other clients of that Redis waiting. */
const spreadLinesACall = 500;

/** The most members one command asks for. */
const maxMembersACommand = 5_000;

/** So many bounds are counted in one script call, each on each shard: more would keep other clients of that Redis waiting. */
const maxCountsACall = 4_000;

/** So many distinct scores are found in one script call, about two milliseconds of Redis. */
const scoresACall = 1_000;

/** Each line for itself. */
const apart: Placing = { size: -1, boundOf: beforeLine };

/**
 * The shards of one board as they lie in Redis: every command that a read sends is sent from here, one round trip each where
 * nothing else is said. {@link OneShard}, {@link OneServer} and {@link ClusterShards} find runs of lines each in its own way.
 */
export abstract class BoardShards {
  readonly count: number;
  protected readonly sender: Sender;

  /** @param groups shards that one script call may read together. */
  constructor(
    protected readonly redis: RedisClient,
    protected readonly options: BoardShardsOptions,
    private readonly groups: readonly (readonly number[])[],
  ) {
    this.count = options.keys.length;
    this.sender = boardSender(redis, options);
  }

  /**
   * Up to `count` lines, passing over the first `offset`. Lines that come and go meanwhile may move the run by a few places;
   * its ranks are right as of the moment at which it was read.
   */
  abstract at(offset: number, count: number): Promise<Run>;

  /** Up to `count` lines behind a bound. */
  abstract behind(bound: Bound, count: number): Promise<Run>;

  /** Up to `count` lines of a range, passing over the first `offset` of them. Others that come and go do not disturb it. */
  abstract between(range: LineRange, offset: number, count: number): Promise<Run>;

  /** The member's line and `radius` neighbours on each side, filled up from the other side at the ends; null without the member. */
  abstract around(member: string, radius: number): Promise<Run | null>;

  /** As {@link around}, with how many lines there are and the line at `index`. As many round trips. */
  async standing(member: string, radius: number, index: number): Promise<Standing> {
    const [sizes, window, { lines }] = await Promise.all([
      this.sizes(),
      this.around(member, radius),
      this.at(index, 1),
    ]);
    return { size: sum(sizes), window, marked: lines[0] ?? null };
  }

  /** Whether one script call may read, and change, all shards. */
  get areTogether(): boolean {
    return this.groups.length === 1;
  }

  /** The member's line and how many lines of all shards stand ahead of it; null where there is none. */
  async place(member: string): Promise<Placed | null> {
    return (await this.places([member], apart))[0] ?? null;
  }

  /** How many lines of all shards stand ahead of the member's; null where there is none. As many round trips as `place`. */
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
    const replies = (await this.send(commands)) as (string | number | null)[][];
    const found = new Array<Line | null>(members.length).fill(null);
    places.forEach(([, own], i) => {
      own.forEach((place, j) => {
        const value = replies[i]?.[j] ?? null;
        if (value === null) return;
        const member = members[place] as string;
        const line = vectorKeys
          ? { score: 0, element: `${value}${member}` }
          : { score: Number(value), element: member };
        if (line.score >= minScore) found[place] = line;
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
    return (await this.send(commands)).map(Number);
  }

  /** The lines of each slice, fewer at a shard's end. */
  async slices(slices: readonly Slice[]): Promise<Line[][]> {
    const { keys, order } = this.options;
    const direction = order === 'desc' ? ['REV'] : [];
    const commands = slices.map(({ shard, start, count }): Command => {
      return ['zrange', keys[shard] as string, start, start + count - 1, ...direction, 'WITHSCORES'];
    });
    const replies = (await this.send(commands)) as string[][];
    return replies.map((reply) => this.linesIn(reply));
  }

  /** How many lines stand ahead of each bound: `[shard][bound]`. One round trip, in several calls where there are many. */
  async countAhead(bounds: readonly Bound[]): Promise<number[][]> {
    const { keys, order, minScore } = this.options;
    const shown = bounds.map((bound) => (bound.score < minScore ? afterScore(minScore) : bound));
    const chunks = await Promise.all(
      chunksOf(shown, chunkSize((this.groups[0] ?? []).length)).map(async (chunk) => {
        const flat = chunk.flatMap(({ score, place }) => [redisNumber(score), place]);
        const counts = (await this.run(scripts.countAhead, { order, bounds: flat })) as number[];
        return keys.map((_, shard) => counts.slice(shard * chunk.length, (shard + 1) * chunk.length));
      }),
    );
    return keys.map((_, shard) => chunks.flatMap((counts) => counts[shard] as number[]));
  }

  /** How many lines of each shard stand ahead of the line at `index` of `shard`; null where it has none. Two round trips. */
  async countAheadOf(shard: number, index: number): Promise<number[] | null> {
    const [[line] = []] = await this.slices([{ shard, start: index, count: 1 }]);
    return line ? (await this.countAhead([beforeLine(line)])).map(([count]) => count as number) : null;
  }

  /**
   * Of each shard at most `count` lines behind the bound, `skip` (0) of them passed over: of a range none behind it, and
   * with it how many stand ahead of it.
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
    return this.linesFrom(await this.run(scripts.readAfter, args));
  }

  /** As {@link after}, from the line at `index` of `shard` on; null where it has none. Two round trips. */
  async from(
    shard: number,
    index: number,
    options: { readonly count: number; readonly range?: LineRange | undefined },
  ): Promise<LinesOfRange[] | null> {
    const [[line] = []] = await this.slices([{ shard, start: index, count: 1 }]);
    return line ? this.after(beforeLine(line), options) : null;
  }

  /**
   * Of each shard `count` lines at even distances, the first of them at a place drawn at random; all lines of a shard that
   * has no more. One shard after the other, one round trip for each 500 lines: nobody has to wait long in between.
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

  /** At most `count` lines of one shard behind the bound. */
  async linesOf(shard: number, bound: Bound, count: number): Promise<Line[]> {
    const [lines = []] = await this.linesOfEach([shard], bound, count);
    return lines;
  }

  /** At most `count` lines behind the bound of each of some shards that lie in one slot, all as of one moment. */
  async linesOfEach(some: readonly number[], bound: Bound, count: number): Promise<Line[][]> {
    const { order, ready } = this.options;
    await ready?.();
    const args = { order, score: redisNumber(bound.score), place: bound.place, skip: 0, count };
    const reply = await this.sender.run(scripts.readAfter, { shards: this.keysOf(some) }, args);
    return (reply as [number, string[]][]).map(([, lines]) => this.linesIn(lines));
  }

  /** How many lines some shards that lie in one slot have together, as of one moment. */
  async sizeOfEach(some: readonly number[]): Promise<number> {
    const { order, minScore, ready } = this.options;
    await ready?.();
    const args = { order, floor: redisNumber(minScore), count: 1 };
    const reply = await this.sender.run(scripts.readHead, { shards: this.keysOf(some) }, args);
    return (reply as [number, string[]][]).reduce((total, [size]) => total + size, 0);
  }

  /**
   * The members' lines, and how many stand ahead of their places; null where there is none. One round trip and one moment,
   * for each chunk of many; two where several shards lie on a Cluster: a member's own shard is of one moment there too, so that
   * no member stands ahead of themselves. Two also of a lexical board on a Cluster, and of two moments.
   */
  async places(members: readonly string[], placing: Placing): Promise<(Placed | null)[]> {
    const { keys, vectorKeys = [], shardOf } = this.options;
    // A slot on its way to another master may have but one of a shard's two keys: no call asks for both.
    if (vectorKeys.length > 0 && this.redis.isCluster) return this.placesOf(await this.find(members), placing);
    const places = [...members.keys()];
    const found = new Array<Placed | null>(members.length).fill(null);
    const calls = this.areTogether
      ? [{ places, stored: [...keys, ...vectorKeys], shards: keys.length }]
      : [...groupBy(places, (place) => shardOf(members[place] as string))].map(([shard, own]) => {
          return { places: own, stored: [keys[shard] as string], shards: 1 };
        });
    await this.options.ready?.();
    await Promise.all(
      calls.flatMap(({ places: own, stored, shards }) =>
        chunksOf(own, chunkSize(shards)).map(async (chunk) => {
          const asked = chunk.map((place) => members[place] as string);
          const read = await this.placesIn(stored, shards, asked, placing);
          chunk.forEach((place, i) => (found[place] = read[i] ?? null));
        }),
      ),
    );
    if (this.areTogether) return found;
    const known = found.filter((one) => one !== null);
    const counts = await this.countAhead(known.map(({ line }) => placing.boundOf(line)));
    let next = 0;
    return found.map((one, place) => {
      if (!one) return null;
      const i = next++;
      const own = shardOf(members[place] as string);
      return {
        line: one.line,
        ahead: counts.reduce((ahead, of, shard) => ahead + (shard === own ? 0 : (of[i] as number)), one.ahead),
      };
    });
  }

  /** How many lines of all shards stand ahead of each line's place. */
  private async placesOf(lines: readonly (Line | null)[], { boundOf }: Placing): Promise<(Placed | null)[]> {
    const counts = await this.countAhead(lines.filter((line) => line !== null).map(boundOf));
    let next = 0;
    return lines.map((line) => {
      if (!line) return null;
      const i = next++;
      return { line, ahead: counts.reduce((ahead, of) => ahead + (of[i] as number), 0) };
    });
  }

  /**
   * The next groups of each shard whose scores are better than that of the bound, some of them of several shards. One round
   * trip and at most {@link scoresACall} scores; later calls of a walk wait for their turn.
   */
  async distinctAhead(
    grouping: Grouping,
    { bound, edges, isFirst }: { readonly bound: Bound; readonly edges: readonly string[]; readonly isFirst: boolean },
  ): Promise<FoundGroups> {
    const { keys, order, ready } = this.options;
    await ready?.();
    const args = { order, ...groupsOf(grouping, bound), most: scoresACall };
    const replies = await Promise.all(
      this.groups.map((group) => {
        const own = { ...args, edges: group.map((shard) => edges[shard] as string) };
        const call = () => this.sender.run(scripts.distinctAhead, { shards: this.keysOf(group) }, own);
        return isFirst ? call() : inTurn(this.redis, call);
      }),
    );
    const found = replies.flat() as (number | string | string[])[];
    const lineOf = (text: string): Line =>
      grouping.by === 'score' ? { score: Number(text), element: '' } : { score: 0, element: text };
    return {
      lines: keys.flatMap((_, shard) => (found[3 * shard + 2] as string[]).map(lineOf)),
      edges: keys.map((_, shard) => found[3 * shard + 1] as string),
      isDone: keys.every((_, shard) => found[3 * shard] === 1),
    };
  }

  /** Runs a script over all shards, in one call for each group. */
  protected async run<A extends Names>(script: ShardsScript<A>, args: Given<A, Argument>): Promise<unknown[]> {
    await this.options.ready?.();
    const replies = await Promise.all(
      this.groups.map((group) => this.sender.run(script, { shards: this.keysOf(group) }, args)),
    );
    return replies.flatMap((reply) => reply as unknown[]);
  }

  private async placesIn(
    stored: readonly string[],
    shards: number,
    members: readonly string[],
    { size }: Placing,
  ): Promise<(Placed | null)[]> {
    const { vectorKeys, order, minScore, shardOf } = this.options;
    const args = {
      order,
      floor: redisNumber(minScore),
      size: redisNumber(size),
      shards,
      members: members.flatMap((member) => [shards === 1 ? 1 : shardOf(member) + 1, member]),
    };
    const reply = (await this.sender.run(scripts.readRanks, { stored }, args)) as (string | number | null)[];
    return members.map((member, i) => {
      const [value, ahead] = [reply[2 * i] ?? null, reply[2 * i + 1] ?? null];
      if (value === null || ahead === null) return null;
      const line = vectorKeys ? { score: 0, element: `${value}${member}` } : { score: Number(value), element: member };
      return { line, ahead: Number(ahead) };
    });
  }

  private keysOf(some: readonly number[]): string[] {
    return some.map((shard) => this.options.keys[shard] as string);
  }

  protected async send(commands: readonly Command[]): Promise<unknown[]> {
    await this.options.ready?.();
    return this.sender.send(commands);
  }

  private linesFrom(replies: readonly unknown[]): LinesOfRange[] {
    return (replies as [number, string[], number][]).map(([ahead, lines, base]) => {
      return { ahead, lines: this.linesIn(lines), base };
    });
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
