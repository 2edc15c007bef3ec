import { chunksOf, sum } from '../../lists/lists';
import type { RedisClient } from '../../redis/run';
import { boardScripts as scripts } from '../../scripts/board.generated';
import { scatter, ShardCalls, type ShardGroup } from './shard-calls';
import type { BoardLayout } from '../layouts/layout';
import {
  type Bound,
  type Line,
  type Ranking,
  type Score,
  afterLine,
  afterScore,
  beforeLine,
  boardOrder,
} from '../order/order';
import type {
  BoardShardsOptions,
  LineRange,
  LinesOfRange,
  Placed,
  Run,
  Sample,
  ShardHead,
  Standing,
  Steps,
} from './shard-lines';
import { untilWhole } from './attempt';
import { inTurn } from '../../redis/turns';

/** A longer call would keep other clients of that Redis waiting. */
const spreadLinesACall = 500;

/** The most members one call asks for. */
const maxMembersACall = 5_000;

/** The most bounds of one script call, times shards: more would keep other clients of that Redis waiting. */
const maxCountsACall = 4_000;

/** So many distinct scores are found in one script call, about two milliseconds of Redis. */
const scoresACall = 1_000;

/** Whether a place is a line's own, or one that equal scores share. */
type PlaceRanking = Exclude<Ranking, 'dense'>;

/** The shards of one board in Redis: one round trip a call. Two classes find runs of lines each in its own way. */
export abstract class BoardShards<S extends Score = Score> {
  readonly count: number;
  readonly layout: BoardLayout<S>;
  /** The order of lines: below zero where the first one stands ahead. */
  readonly compare: (a: Line, b: Line) => number;
  /** The least score of a line, as scripts have it. */
  protected readonly floor: string;
  protected readonly calls: ShardCalls;

  constructor(
    protected readonly redis: RedisClient,
    protected readonly options: BoardShardsOptions<S>,
  ) {
    this.count = options.keys.length;
    this.layout = options.layout;
    this.compare = boardOrder(this.layout.order);
    this.floor = redisNumber(options.minScore);
    this.calls = new ShardCalls(redis, options);
  }

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

  /** Each member's window, null without the member; how many lines there are, and the line at `index`. */
  abstract around(members: readonly string[], radius: number, index?: number): Promise<Standing[]>;

  /** How many lines of all shards stand ahead of the member's; null without one. Round trips as {@link places}. */
  async ahead(member: string): Promise<number | null> {
    return (await this.places([member]))[0]?.ahead ?? null;
  }

  /** The lines of several members, null where there is none. */
  async find(members: readonly string[]): Promise<(Line | null)[]> {
    const { keys, vectorKeys, minScore } = this.options;
    const hold = vectorKeys ?? keys;
    const [member] = members;
    const found =
      members.length === 1 && member !== undefined
        ? [
            await this.calls.send([
              [vectorKeys ? 'hget' : 'zscore', hold[this.calls.shardOf(member)] as string, member],
            ]),
          ]
        : await this.calls.ofMembers(members, {
            script: scripts.readScores,
            keysOf: (group) => group.map((shard) => hold[shard] as string),
            argsOf: (named) => ({ command: vectorKeys ? 'HGET' : 'ZSCORE', members: named }),
            most: maxMembersACall,
            width: 1,
          });
    return members.map((one, i) => {
      const value = found[i]?.[0] as string | null | undefined;
      const line = value == null ? null : this.layout.written(one, value);
      return line && line.score >= minScore ? line : null;
    });
  }

  /** How many lines there are, and the first `count` of them. */
  async head(count: number): Promise<ShardHead> {
    const heads = await this.entries(count, () => []);
    const lines = heads.flatMap((head) => head.lines);
    if (heads.length > 1) lines.sort(this.compare).splice(count);
    return { size: sum(heads.map(({ size }) => size)), lines };
  }

  /** How many lines each shard has; or each of some, as of one moment. */
  async sizes(of?: readonly number[]): Promise<number[]> {
    return (await this.entries(0, () => [], of)).map(({ size }) => size);
  }

  /** Of each shard how many lines it has, and at most `count` of them at even distances. */
  samples(steps: readonly Steps[], count: number): Promise<ShardHead[]> {
    return this.entries(count, (group) =>
      group.flatMap((shard) => [(steps[shard] as Steps).first, (steps[shard] as Steps).distance]),
    );
  }

  /**
   * How many lines stand ahead of each bound: `[shard][bound]`. One round trip, in several calls where there are many.
   */
  async countAhead(bounds: readonly Bound[]): Promise<number[][]> {
    const { keys, minScore } = this.options;
    const shown = bounds.map((bound) => (bound.score < minScore ? afterScore(minScore) : bound));
    const chunks = await Promise.all(
      chunksOf(shown, chunkSize(this.calls.widest())).map(async (chunk) => {
        const flat = chunk.flatMap(({ score, place }) => [redisNumber(score), place]);
        const args = { order: this.layout.order, bounds: flat };
        return (await this.calls.run(scripts.countAhead, () => args)) as number[][];
      }),
    );
    return keys.map((_, shard) => chunks.flatMap((counts) => counts[shard] as number[]));
  }

  /** Of each shard, or some of one slot, `count` lines behind the bound or in the range, `skip` (0) passed over. */
  async after(
    bound: Bound,
    options: { skip?: number; count: number; range?: LineRange | undefined; of?: readonly number[] },
  ): Promise<LinesOfRange[]> {
    const { skip = 0, count, range, of } = options;
    const args = {
      order: this.layout.order,
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
    const replies = (await this.calls.run(scripts.readAfter, () => args, of)) as [number, string[], number][];
    return replies.map(([ahead, lines, base]) => ({ ahead, lines: this.linesIn(lines), base }));
  }

  /** Of each shard `count` lines at even distances from a random one on: a round trip for each 500, one by one. */
  async spread(count: number): Promise<Sample[]> {
    const samples: Sample[] = [];
    for (const [shard, size] of (await this.sizes()).entries()) {
      const wanted = Math.min(count, size);
      const start = Math.random();
      const step = size / wanted;
      const lines: Line[] = [];
      for (let from = 0; from < wanted; from += spreadLinesACall) {
        const count = Math.min(spreadLinesACall, wanted - from);
        const read = await this.entries(count, () => [(from + start) * step, step], [shard]);
        lines.push(...read.flatMap((head) => head.lines));
      }
      samples.push({ size, lines, start });
    }
    return samples;
  }

  /**
   * The members' lines and how many stand ahead of them, or of those of equal scores. One round trip; of shards on a
   * Cluster two.
   */
  async places(members: readonly string[], ranking: PlaceRanking = 'ordinal'): Promise<(Placed | null)[]> {
    // A slot on its way to another master may have but one of a shard's two keys: no call asks for both.
    if (this.options.vectorKeys && this.redis.isCluster) return this.placesOfFound(members, ranking);
    const found = await this.placesInCalls(members, ranking);
    if (this.calls.areTogether) return found;
    const counts = await this.countAhead(found.flatMap((one) => (one ? [this.placeOf(one.line, ranking)] : [])));
    let next = 0;
    return found.map((one, place) => {
      if (!one) return null;
      const i = next++;
      const own = this.calls.shardOf(members[place] as string);
      const others = counts.map((of, shard) => (shard === own ? 0 : (of[i] as number)));
      return { line: one.line, ahead: one.ahead + sum(others) };
    });
  }

  /**
   * As {@link places}: lines are found first, and again, up to five times, where they are gone when they are counted.
   * Else a member who rises in between would stand ahead of themselves.
   */
  private async placesOfFound(members: readonly string[], ranking: PlaceRanking): Promise<(Placed | null)[]> {
    const places = new Map<string, Placed>();
    let moved = members;
    await untilWhole(async () => {
      const lines = await this.find(moved);
      for (const member of moved) places.delete(member);
      const found = moved.flatMap((member, i) => (lines[i] ? [{ member, line: lines[i] }] : []));
      const bounds = found.flatMap(({ line }) => [this.placeOf(line, ranking), beforeLine(line), afterLine(line)]);
      const counts = await this.countAhead(bounds);
      for (const [i, { member, line }] of found.entries())
        places.set(member, { line, ahead: sum(counts.map((of) => of[3 * i] as number)) });
      moved = found.flatMap(({ member }, i) => {
        const [before, after] = (counts[this.calls.shardOf(member)] as number[]).slice(3 * i + 1, 3 * i + 3);
        return before === after ? [member] : [];
      });
      return { isWhole: moved.length === 0 };
    });
    return members.map((member) => places.get(member) ?? null);
  }

  /** The cut ahead of a line, or of all whose scores equal its own. */
  private placeOf(line: Line, ranking: PlaceRanking): Bound {
    return ranking === 'ordinal' ? beforeLine(line) : this.layout.beforeGroup(line);
  }

  /** The members' places: among all shards if one call may read them all, else among those of their own shard. */
  private async placesInCalls(members: readonly string[], ranking: PlaceRanking): Promise<(Placed | null)[]> {
    const { vectorKeys = [] } = this.options;
    const { order, grouping } = this.layout;
    const ofLines = { unit: ranking === 'ordinal' ? -1 : 0, most: Infinity };
    const { unit: size, most } = ranking === 'competition' && grouping.by === 'score' ? grouping : ofLines;
    const found = await this.calls.ofMembers(members, {
      script: scripts.readRanks,
      keysOf: (group) => [...this.calls.keysOf(group), ...vectorKeys],
      argsOf: (named, group) => ({
        ...{ order, floor: this.floor, size, most: redisNumber(most), count: group.length },
        among: this.calls.areTogether ? 'all' : 'own',
        members: named,
      }),
      most: chunkSize(this.calls.areTogether ? this.count : 1),
      width: 2,
    });
    return members.map((member, i) => {
      const [value, ahead] = found[i] as [string | null, number | null];
      return value === null || ahead === null ? null : { line: this.layout.written(member, value), ahead };
    });
  }

  /** Lines of the next {@link scoresACall} better groups, where a walk goes on, and whether it ends. One round trip. */
  async distinctAhead(
    bound: Bound,
    { edges, isFirst }: { readonly edges: readonly string[]; readonly isFirst: boolean },
  ) {
    const { order, grouping } = this.layout;
    const of =
      grouping.by === 'score'
        ? { grouping: 'score', size: redisNumber(grouping.unit), bound: redisNumber(bound.score) }
        : { grouping: 'prefix', size: grouping.length, bound: bound.place.slice(1) };
    const args = { order, ...of, most: scoresACall };
    const found: [isDone: number, edge: string, scores: string[]][] = [];
    await Promise.all(
      this.calls.groups().map((group) => {
        const call = () =>
          this.calls.call([group], {
            script: scripts.distinctAhead,
            argsOf: (some) => ({ ...args, edges: some.map((shard) => edges[shard] as string) }),
            take: (reply, some) => scatter(found, reply as typeof found, some),
          });
        return isFirst ? call() : inTurn(this.redis, call);
      }),
    );
    const lineOf = (text: string): Line =>
      grouping.by === 'score' ? { score: Number(text), element: '' } : { score: 0, element: text };
    return {
      lines: found.flatMap(([, , scores]) => scores.map(lineOf)),
      edges: found.map(([, edge]) => edge),
      isDone: found.every(([isDone]) => isDone === 1),
    };
  }

  /** How many lines each shard has, or each of some of one slot, and `count` of them: the first, or at places. */
  private async entries(
    count: number,
    placesOf: (group: ShardGroup) => readonly number[],
    of?: readonly number[],
  ): Promise<ShardHead[]> {
    const args = { order: this.layout.order, floor: this.floor, count };
    const argsOf = (group: ShardGroup) => ({ ...args, places: placesOf(group) });
    const replies = (await this.calls.run(scripts.readEntries, argsOf, of)) as [number, string[]][];
    return replies.map(([size, lines]) => ({ size, lines: this.linesIn(lines) }));
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

/** A double as Redis reads it: all 53 bits survive, JavaScript writes the shortest text that gives the same double. */
export function redisNumber(value: number): string {
  if (value === Infinity) return '+inf';
  if (value === -Infinity) return '-inf';
  return String(value);
}
