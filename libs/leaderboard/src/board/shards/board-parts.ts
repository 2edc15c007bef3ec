import { chunksOf, groupBy } from '../../lists/lists';
import type { Argument, Given, RedisClient } from '../../redis/run';
import { scripts, type Names, type Script } from '../../scripts/scripts.generated';
import { boardSender, type ExpiringMembers, type Sender } from './sender';
import type { Grouping } from '../layouts/layout';
import type { Order } from '../order/line';
import { afterScore, beforeLine, type Bound } from '../order/bound';
import { boardOrder, type Line } from '../order/line';
import type { Command } from '../../redis/send';
import { inTurn } from '../../redis/turns';

/** A run of one part's lines, by its place in the board's order. */
export interface Slice {
  readonly part: number;
  readonly start: number;
  readonly count: number;
}

/** Lines of one part, and how many of it stand ahead of them. */
export interface LinesFrom {
  readonly ahead: number;
  readonly lines: readonly Line[];
}

/** Lines of one part, of a range of the board, and how many of the part stand ahead of the range. */
export interface LinesOfRange extends LinesFrom {
  readonly base: number;
}

/** What lies between two bounds. */
export interface LineRange {
  readonly from: Bound;
  readonly until: Bound;
}

/** Lines that follow one another on the whole board, and how many stand ahead of them. */
export interface Run {
  readonly ahead: number;
  readonly lines: readonly Line[];
}

/** The beginning of one part: how many lines it has, and the first of them. */
export interface PartHead {
  readonly size: number;
  readonly lines: readonly Line[];
}

/** A script over any number of a board's parts. */
type PartsScript<A extends Names> = Script<{ readonly parts: 'list' }, A>;

/** A script that reads a board's only part. */
type PartScript<A extends Names> = Script<{ readonly part: 'one' }, A>;

/** Lines of one part at even distances. */
export interface Sample {
  /** How many lines the part has. */
  readonly size: number;
  readonly lines: readonly Line[];
  /** Where the first of them stands, from 0 to 1, in distances. */
  readonly start: number;
}

/** A longer call would keep other clients of that Redis waiting. */
const spreadLinesACall = 500;

export interface BoardPartsOptions {
  /** The sorted sets, one a shard. */
  readonly keys: readonly string[];
  /** Of lexical boards: the hashes of member -> vector, one a shard. */
  readonly vectorKeys?: readonly string[] | undefined;
  readonly shardOf: (member: string) => number;
  readonly order: Order;
  /** Lines of lower raw scores do not exist. They are the last of their part: descending boards only. */
  readonly minScore: number;
  /** Of a board whose members expire. */
  readonly expiring?: ExpiringMembers | undefined;
  /** Awaited before anything is read. */
  readonly ready?: (() => Promise<void>) | undefined;
}

/** The most members one command asks for. */
const maxMembersACommand = 5_000;

/** So many bounds are counted in one script call, each on each part: more would keep other clients of that Redis waiting. */
const maxCountsACall = 4_000;

/** So many distinct scores are found in one script call, about two milliseconds of Redis. */
const scoresACall = 1_000;

/** Groups of a board as a walk finds them: where it goes on in each part, and whether there are no more. */
export interface FoundGroups {
  /** A line of each group. */
  readonly lines: readonly Line[];
  readonly edges: readonly string[];
  readonly isDone: boolean;
}

/** What of a line makes its place: itself alone, or all that share its score. */
export interface Placing {
  /** The raw scores that lie in one score, 0 where each is its own: equals share a place; -1: none do. */
  readonly size: number;
  /** The cut ahead of the place. */
  readonly boundOf: (line: Line) => Bound;
}

/** A line, and how many lines of all parts stand ahead of its place. */
export interface Placed {
  readonly line: Line;
  readonly ahead: number;
}

/** Each line for itself. */
const apart: Placing = { size: -1, boundOf: beforeLine };

/** The parts of one board as they lie in Redis: every command that a read sends is sent from here. One round trip each. */
export class BoardParts {
  readonly count: number;
  private readonly sender: Sender;

  constructor(
    private readonly redis: RedisClient,
    private readonly options: BoardPartsOptions,
  ) {
    this.count = options.keys.length;
    this.sender = boardSender(redis, options);
  }

  /** The lines of several members, null where there is none. */
  async find(members: readonly string[]): Promise<(Line | null)[]> {
    const { keys, vectorKeys, minScore, shardOf } = this.options;
    const places = [...groupBy(members.keys(), (place) => shardOf(members[place] as string))].flatMap(([part, own]) =>
      chunksOf(own, maxMembersACommand).map((chunk) => [part, chunk] as const),
    );
    const commands = places.map(([part, own]): Command => {
      const name = vectorKeys ? 'hmget' : 'zmscore';
      return [name, (vectorKeys ?? keys)[part] as string, ...own.map((place) => members[place] as string)];
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

  /**
   * The member's line and how many lines of all parts stand ahead of it; null where there is none. One round trip, two
   * where several parts lie on a Cluster.
   */
  async place(member: string): Promise<Placed | null> {
    const { vectorKeys, order, minScore, shardOf } = this.options;
    if (vectorKeys || !this.isInOnePlace) return (await this.places([member], apart))[0] ?? null;
    const part = shardOf(member);
    const found = await (this.count === 1
      ? this.runOnPart(scripts.readMember, { order, member })
      : this.run(scripts.readPlace, { order, part: part + 1, member }));
    if (!found) return null;
    const [score, ahead] = found as [string, number];
    const line = { score: Number(score), element: member };
    return line.score >= minScore ? { line, ahead } : null;
  }

  /** How many lines of all parts stand ahead of the member's; null where there is none. As many round trips as `place`. */
  async ahead(member: string): Promise<number | null> {
    const { keys, vectorKeys, order, minScore } = this.options;
    if (this.count > 1 || vectorKeys || minScore !== -Infinity) return (await this.place(member))?.ahead ?? null;
    const [rank] = await this.send([[order === 'desc' ? 'zrevrank' : 'zrank', keys[0] as string, member]]);
    return rank as number | null;
  }

  /** How many lines each part has, and its first `count`. */
  async heads(count: number): Promise<PartHead[]> {
    const { order, minScore } = this.options;
    const args = { order, floor: redisNumber(minScore), count };
    const replies = (await this.run(scripts.readHead, args)) as [number, string[]][];
    return replies.map(([size, lines]) => ({ size, lines: this.linesIn(lines) }));
  }

  /** How many lines each part has. */
  async sizes(): Promise<number[]> {
    const { keys, minScore } = this.options;
    const all = minScore === -Infinity;
    const commands = keys.map((key): Command => (all ? ['zcard', key] : ['zcount', key, minScore, '+inf']));
    return (await this.send(commands)).map(Number);
  }

  /** The lines of each slice, fewer at a part's end. */
  async slices(slices: readonly Slice[]): Promise<Line[][]> {
    const { keys, order } = this.options;
    const direction = order === 'desc' ? ['REV'] : [];
    const commands = slices.map(({ part, start, count }): Command => {
      return ['zrange', keys[part] as string, start, start + count - 1, ...direction, 'WITHSCORES'];
    });
    const replies = (await this.send(commands)) as string[][];
    return replies.map((reply) => this.linesIn(reply));
  }

  /** How many lines stand ahead of each bound: `[part][bound]`. One round trip, in several calls where there are many. */
  async countAhead(bounds: readonly Bound[]): Promise<number[][]> {
    const { keys, order, minScore } = this.options;
    const shown = bounds.map((bound) => (bound.score < minScore ? afterScore(minScore) : bound));
    const chunks = await Promise.all(
      chunksOf(shown, chunkSize(this.redis.isCluster ? 1 : keys.length)).map(async (chunk) => {
        const flat = chunk.flatMap(({ score, place }) => [redisNumber(score), place]);
        const counts = (await this.run(scripts.countAhead, { order, bounds: flat })) as number[];
        return keys.map((_, part) => counts.slice(part * chunk.length, (part + 1) * chunk.length));
      }),
    );
    return keys.map((_, part) => chunks.flatMap((counts) => counts[part] as number[]));
  }

  /** How many lines of each part stand ahead of the line at `index` of `part`; null where it has none. Two round trips. */
  async countAheadOf(part: number, index: number): Promise<number[] | null> {
    const [[line] = []] = await this.slices([{ part, start: index, count: 1 }]);
    return line ? (await this.countAhead([beforeLine(line)])).map(([count]) => count as number) : null;
  }

  /**
   * Of each part at most `count` lines behind the bound, `skip` (0) of them passed over: of a range none behind it, and
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

  /** As {@link after}, from the line at `index` of `part` on; null where it has none. Two round trips. */
  async from(
    part: number,
    index: number,
    options: { readonly count: number; readonly range?: LineRange | undefined },
  ): Promise<LinesOfRange[] | null> {
    const [[line] = []] = await this.slices([{ part, start: index, count: 1 }]);
    return line ? this.after(beforeLine(line), options) : null;
  }

  /**
   * Of each part `count` lines at even distances, the first of them at a place drawn at random; all lines of a part that
   * has no more. One part after the other, one round trip for each 500 lines: nobody has to wait long in between.
   */
  async spread(count: number): Promise<Sample[]> {
    const samples: Sample[] = [];
    for (const [part, size] of (await this.sizes()).entries()) {
      const wanted = Math.min(count, size);
      const start = Math.random();
      const step = size / wanted;
      const lines: Line[] = [];
      for (let from = 0; from < wanted; from += spreadLinesACall) {
        const own = { part: this.options.keys[part] as string };
        const first = (from + start) * step;
        const args = { order: this.options.order, first, step, count: Math.min(spreadLinesACall, wanted - from) };
        lines.push(...this.linesIn((await this.sender.run(scripts.readSpread, own, args)) as string[]));
      }
      samples.push({ size, lines, start });
    }
    return samples;
  }

  /** At most `count` lines of one part behind the bound. */
  async linesOf(part: number, bound: Bound, count: number): Promise<Line[]> {
    const [lines = []] = await this.linesOfEach([part], bound, count);
    return lines;
  }

  /** At most `count` lines behind the bound of each of some parts that lie in one slot, all as of one moment. */
  async linesOfEach(some: readonly number[], bound: Bound, count: number): Promise<Line[][]> {
    const { order, ready } = this.options;
    await ready?.();
    const args = { order, score: redisNumber(bound.score), place: bound.place, skip: 0, count };
    const reply = await this.sender.run(scripts.readAfter, { parts: this.keysOf(some) }, args);
    return (reply as [number, string[]][]).map(([, lines]) => this.linesIn(lines));
  }

  /** How many lines some parts that lie in one slot have together, as of one moment. */
  async sizeOfEach(some: readonly number[]): Promise<number> {
    const { order, minScore, ready } = this.options;
    await ready?.();
    const args = { order, floor: redisNumber(minScore), count: 1 };
    const reply = await this.sender.run(scripts.readHead, { parts: this.keysOf(some) }, args);
    return (reply as [number, string[]][]).reduce((total, [size]) => total + size, 0);
  }

  /**
   * Up to `count` lines of the merged order of all parts on one Redis, or of what lies of them between two bounds, passing
   * over the first `offset`, as of one moment. One round trip, two in one case of thousands.
   */
  async page(offset: number, count: number, range: Partial<LineRange> = {}): Promise<Run> {
    const { order, minScore } = this.options;
    const { from, until } = range;
    const compare = boardOrder(order);
    for (const full of [0, 1]) {
      const [ahead, drop, share, ...read] = (await this.run(scripts.readPage, {
        order,
        floor: redisNumber(minScore),
        offset,
        count,
        full,
        ...(from && { fromScore: redisNumber(from.score), fromPlace: from.place }),
        ...(until && { untilScore: redisNumber(until.score), untilPlace: until.place }),
      })) as [number?, number?, number?, ...string[][]];
      if (ahead === undefined || drop === undefined || share === undefined) break;
      const lines = read.map((own) => this.linesIn(own));
      const merged = lines
        .flat()
        .sort(compare)
        .slice(0, drop + count);
      const last = merged[drop + count - 1];
      // A part may hold more where it gave all it was asked for and its last line is among those wanted.
      const isAll = lines.every((own) => {
        const end = own[share - 1];
        return end === undefined || (last !== undefined && compare(end, last) >= 0);
      });
      if (isAll || full === 1) return { ahead, lines: merged.slice(drop) };
    }
    return { ahead: 0, lines: [] };
  }

  /** Of a board of one part: the member's line and `radius` neighbours on each side; null without the member. */
  async around(member: string, radius: number): Promise<LinesFrom | null> {
    const { keys, vectorKeys = [], order, minScore, ready } = this.options;
    await ready?.();
    const own = { part: keys[0] as string, vectors: vectorKeys[0] };
    const args = { order, floor: redisNumber(minScore), member, radius };
    const reply = (await this.sender.run(scripts.readAround, own, args)) as [number, string[]] | null;
    return reply && { ahead: reply[0], lines: this.linesIn(reply[1]) };
  }

  /**
   * The members' lines, and how many stand ahead of their places; null where there is none. One round trip and one moment,
   * for each chunk of many; two where several parts lie on a Cluster: a member's own part is of one moment there too, so that
   * he never stands ahead of himself. Two also of a lexical board on a Cluster, and of two moments.
   */
  async places(members: readonly string[], placing: Placing): Promise<(Placed | null)[]> {
    const { keys, vectorKeys = [], shardOf } = this.options;
    // A slot on its way to another master may have but one of a part's two keys: no call asks for both.
    if (vectorKeys.length > 0 && this.redis.isCluster) return this.placesOf(await this.find(members), placing);
    const places = [...members.keys()];
    const found = new Array<Placed | null>(members.length).fill(null);
    const calls = this.isInOnePlace
      ? [{ places, stored: [...keys, ...vectorKeys], parts: keys.length }]
      : [...groupBy(places, (place) => shardOf(members[place] as string))].map(([part, own]) => {
          return { places: own, stored: [keys[part] as string, ...vectorKeys.slice(part, part + 1)], parts: 1 };
        });
    await this.options.ready?.();
    await Promise.all(
      calls.flatMap(({ places: own, stored, parts }) =>
        chunksOf(own, chunkSize(parts)).map(async (chunk) => {
          const asked = chunk.map((place) => members[place] as string);
          const read = await this.placesIn(stored, parts, asked, placing);
          chunk.forEach((place, i) => (found[place] = read[i] ?? null));
        }),
      ),
    );
    if (this.isInOnePlace) return found;
    const known = found.filter((one) => one !== null);
    const counts = await this.countAhead(known.map(({ line }) => placing.boundOf(line)));
    let next = 0;
    return found.map((one, place) => {
      if (!one) return null;
      const i = next++;
      const own = shardOf(members[place] as string);
      return {
        line: one.line,
        ahead: counts.reduce((ahead, of, part) => ahead + (part === own ? 0 : (of[i] as number)), one.ahead),
      };
    });
  }

  /** How many lines of all parts stand ahead of each line's place. */
  private async placesOf(lines: readonly (Line | null)[], { boundOf }: Placing): Promise<(Placed | null)[]> {
    const counts = await this.countAhead(lines.filter((line) => line !== null).map(boundOf));
    let next = 0;
    return lines.map((line) => {
      if (!line) return null;
      const i = next++;
      return { line, ahead: counts.reduce((ahead, of) => ahead + (of[i] as number), 0) };
    });
  }

  /** Whether one script call may read all parts. */
  get isInOnePlace(): boolean {
    return this.count === 1 || !this.redis.isCluster;
  }

  /**
   * The next groups of each part whose scores are better than that of the bound, some of them of several parts. One round
   * trip and at most {@link scoresACall} scores; later calls of a walk wait for their turn.
   */
  async distinctAhead(
    grouping: Grouping,
    { bound, edges, isFirst }: { readonly bound: Bound; readonly edges: readonly string[]; readonly isFirst: boolean },
  ): Promise<FoundGroups> {
    const { keys, order, ready } = this.options;
    await ready?.();
    const args = { order, ...groupsOf(grouping, bound), most: scoresACall };
    const isTogether = !this.redis.isCluster;
    const calls = isTogether
      ? [{ parts: keys, edges }]
      : keys.map((key, i) => ({ parts: [key], edges: [edges[i] as string] }));
    const replies = await Promise.all(
      calls.map((own) => {
        const call = () => this.sender.run(scripts.distinctAhead, { parts: own.parts }, { ...args, edges: own.edges });
        return isFirst ? call() : inTurn(this.redis, call);
      }),
    );
    const found = replies.flat() as (number | string | string[])[];
    const lineOf = (text: string): Line =>
      grouping.by === 'score' ? { score: Number(text), element: '' } : { score: 0, element: text };
    return {
      lines: keys.flatMap((_, part) => (found[3 * part + 2] as string[]).map(lineOf)),
      edges: keys.map((_, part) => found[3 * part + 1] as string),
      isDone: keys.every((_, part) => found[3 * part] === 1),
    };
  }

  /** Runs a script over all parts: in one call on one Redis, in one call each on a Cluster, whose slots it must not mix. */
  private async run<A extends Names>(script: PartsScript<A>, args: Given<A, Argument>): Promise<unknown[]> {
    const { keys, ready } = this.options;
    await ready?.();
    if (!this.redis.isCluster) return (await this.sender.run(script, { parts: keys }, args)) as unknown[];
    const replies = await Promise.all(keys.map((key) => this.sender.run(script, { parts: [key] }, args)));
    return replies.flatMap((reply) => reply as unknown[]);
  }

  /** Of a board of one part. */
  private async runOnPart<A extends Names>(script: PartScript<A>, args: Given<A, Argument>): Promise<unknown> {
    const { keys, ready } = this.options;
    await ready?.();
    return this.sender.run(script, { part: keys[0] as string }, args);
  }

  private async placesIn(
    stored: readonly string[],
    parts: number,
    members: readonly string[],
    { size }: Placing,
  ): Promise<(Placed | null)[]> {
    const { vectorKeys, order, minScore, shardOf } = this.options;
    const args = {
      order,
      floor: redisNumber(minScore),
      size: redisNumber(size),
      parts,
      members: members.flatMap((member) => [parts === 1 ? 1 : shardOf(member) + 1, member]),
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
    return some.map((part) => this.options.keys[part] as string);
  }

  private async send(commands: readonly Command[]): Promise<unknown[]> {
    await this.options.ready?.();
    return this.sender.send(commands);
  }

  private linesFrom(replies: readonly unknown[]): LinesOfRange[] {
    return (replies as [number, string[], number][]).map(([ahead, lines, base]) => {
      return { ahead, lines: this.linesIn(lines), base };
    });
  }

  private linesIn(reply: readonly string[]): Line[] {
    const lines: Line[] = [];
    for (let i = 0; i < reply.length; i += 2) {
      const score = Number(reply[i + 1]);
      if (score < this.options.minScore) break;
      lines.push({ element: reply[i] as string, score });
    }
    return lines;
  }
}

/** How many bounds, or members, one call counts on so many parts. */
function chunkSize(parts: number): number {
  return Math.max(1, Math.floor(maxCountsACall / parts));
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
