import { chunksOf, groupBy, sum } from '../../lists/lists';
import { BatchedReads } from '../../redis/batched-reads';
import type { RedisClient } from '../../redis/run';
import { boardScripts as scripts } from '../../scripts/board.generated';
import { systemClock } from '../../time/clock';
import { type Bound, type Line, type Score, aheadOfAll, beforeLine } from '../order/order';
import { BoardShards, redisNumber } from './board-shards';
import { untilWhole, type Attempt } from './attempt';
import { findNear, tolerance, type Sought } from './page-search';
import { OneShard } from './one-shard';
import type { BoardShardsOptions, LineRange, Run, Standing } from './shard-lines';

/** So many lines one call reads for all whom it is for: two milliseconds of Redis. */
const maxLinesACall = 4_000;

/** So many members' places are asked for together: a millisecond of Redis on six shards. */
const maxTogether = 64;

/** The lines to be merged: behind a bound, or from an offset on. */
type Merging = Pick<Sought, 'from' | 'count' | 'range'> & Partial<Pick<Sought, 'offset'>>;

/** A request for the lines of each shard near a bound: so many before it, behind it (from 1), and the first ones. */
interface NearQuestion {
  readonly bound: Bound;
  readonly nearness: Readonly<Record<'before' | 'behind' | 'first', number>>;
}

/** The lines of some shards nearest to a bound, and their first ones. */
interface Near {
  /** How many lines the shards have, and how many of them stand ahead of the first of `lines`, and of the bound. */
  readonly size: number;
  readonly start: number;
  readonly ahead: number;
  readonly lines: readonly Line[];
  readonly head: readonly Line[];
}

/** The shards of a board, read in the way that their number allows. */
export function openShards<S extends Score>(redis: RedisClient, options: BoardShardsOptions<S>): BoardShards<S> {
  return options.keys.length === 1 ? new OneShard(redis, options) : new ManyShards(redis, options);
}

/** A board in several shards, of one Redis or of a Cluster: what each of them gives is merged. */
export class ManyShards<S extends Score> extends BoardShards<S> {
  /** The first lines as they were read for an earlier standing. */
  private kept: { readonly lines: readonly Line[]; readonly count: number; readonly readAtMs: number } | undefined;
  /** Joins requests of the same moment into one call for each master. */
  private readonly counting = new BatchedReads<readonly Bound[], number[][]>(
    (asked) => this.countTogether(asked),
    maxTogether,
  );
  private readonly nearing = new BatchedReads<NearQuestion, readonly Near[]>(
    (asked) => this.nearTogether(asked),
    maxTogether,
  );

  at(offset: number, count: number): Promise<Run> {
    const first = aheadOfAll(this.layout.order);
    if (offset === 0) return this.behind(first, count);
    return untilWhole((tries) => this.runAt({ from: first, low: null, high: null, offset, count }, tries));
  }

  behind(bound: Bound, count: number): Promise<Run> {
    return this.merged({ from: bound, count }, count, count);
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

  override countAhead(bounds: readonly Bound[]): Promise<number[][]> {
    return bounds.length > maxTogether ? super.countAhead(bounds) : this.counting.ask(bounds);
  }

  around(members: readonly string[], radius: number, index = -1): Promise<Standing[]> {
    return Promise.all(members.map((member) => this.standing(member, radius, index)));
  }

  /** Two round trips; a third for the last `radius` members, without the member, and where its line moves. */
  private async standing(member: string, radius: number, index: number): Promise<Standing> {
    const kept = this.headOf(index + 1);
    const readAtMs = (this.options.clock ?? systemClock).now();
    const window = await this.readAround(member, radius, kept ? 0 : index + 1);
    if (!window) {
      const { size, lines } = await this.head(index + 1);
      return { size, window, marked: lines[index] ?? null };
    }
    const { size, own, ownAhead, head } = window;
    if (index < 0) return { size, window, marked: null };
    if (!kept) this.kept = { lines: head.slice(0, index + 1), count: index + 1, readAtMs };
    const marked = (kept ?? head)[index] ?? null;
    // A line that was read earlier must not stand where the member's of now cannot see it.
    const isAhead = marked !== null && this.compare(marked, own) < 0;
    if (!kept || isAhead === index < ownAhead) return { size, window, marked };
    return { size, window, marked: (await this.at(index, 1)).lines[0] ?? null };
  }

  private readAround(member: string, radius: number, first: number) {
    return untilWhole(async () => {
      const [own] = await this.find([member]);
      if (!own) return null;
      const bound = beforeLine(own);
      // Near the top the window is filled up from below.
      const behind = 2 * radius + 1;
      const near = await this.nearing.ask({ bound, nearness: { before: radius, behind, first } });
      const found = this.windowOf(near, own, radius);
      if (found.before <= radius) return found;
      const wider = await this.nearing.ask({ bound, nearness: { before: behind, behind, first } });
      return this.windowOf(wider, own, radius);
    });
  }

  /** A member's window, and how many of its lines stand ahead of the member's: shards may have given fewer. */
  private windowOf(near: readonly Near[], own: Line, radius: number) {
    const size = sum(near.map((of) => of.size));
    const ahead = sum(near.map((of) => of.ahead));
    const width = Math.min(2 * radius + 1, size);
    const start = Math.max(0, Math.min(ahead - radius, size - width));
    const before = ahead - start;
    const lines = near.flatMap((of) => of.lines).sort(this.compare);
    const drop = sum(near.map((of) => of.ahead - of.start)) - before;
    const { element, score } = lines[drop + before] ?? {};
    return {
      size,
      ahead: start,
      lines: lines.slice(drop, drop + width),
      isWhole: element === own.element && score === own.score,
      own,
      ownAhead: ahead,
      head: near.flatMap((of) => of.head).sort(this.compare),
      before,
    };
  }

  private headOf(count: number): readonly Line[] | undefined {
    const { kept } = this;
    const { clock = systemClock, headMaxAgeMs = 0 } = this.options;
    const ageMs = kept && kept.count >= count ? clock.now() - kept.readAtMs : -1;
    return ageMs >= 0 && ageMs < headMaxAgeMs ? kept?.lines : undefined;
  }

  private async nearTogether(asked: readonly NearQuestion[]): Promise<(readonly Near[])[]> {
    const found = new Map(asked.map((one) => [one, new Array<Near>()]));
    const alike = groupBy(asked, ({ nearness }) => Object.values(nearness).join());
    const calls = [...alike.values()].flatMap((own) => {
      const { before, behind } = (own[0] as NearQuestion).nearness;
      return chunksOf(own, Math.max(1, Math.floor(maxLinesACall / ((before + behind) * this.calls.widest()))));
    });
    await Promise.all(
      calls.map((some) => {
        const { nearness } = some[0] as NearQuestion;
        const bounds = some.flatMap(({ bound: { score, place } }) => [redisNumber(score), place]);
        const args = { order: this.layout.order, floor: this.floor, ...nearness, bounds };
        const take = (reply: unknown) => {
          const [size, firstLines, near] = reply as [number, string[], [number, number, string[]][]];
          const head = this.linesIn(firstLines);
          near.forEach(([start, ahead, lines], i) => {
            found.get(some[i] as NearQuestion)?.push({ size, start, ahead, lines: this.linesIn(lines), head });
          });
        };
        return this.calls.call(this.calls.groups(), { script: scripts.readNear, argsOf: () => args, take });
      }),
    );
    return [...found.values()];
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

  /** Up to `count` lines from `offset` behind a bound: read from a line near it on, with how many now stand ahead. */
  private async runAt(sought: Sought, tries: number): Promise<Attempt> {
    const { from, low, offset, count } = sought;
    const near = await findNear(this, { ...sought, isSure: tries > 1 });
    const ahead = sum(low ?? []) + offset;
    const wanted = Math.min(count, near.end - ahead);
    if (wanted <= 0) return { ahead, lines: [], isWhole: true };
    const expected = near.distance + wanted;
    return this.merged({ ...sought, from: near.bound ?? from }, expected, expected + tolerance);
  }

  /**
   * Up to `count` lines of the merged order behind a bound, or from an offset there or in a range. Of each shard its
   * share of the lines expected is read, which is enough but for one case in thousands; else `most`, which always is.
   */
  private async merged({ from, count, offset, range }: Merging, expected: number, most: number): Promise<Attempt> {
    let run: Attempt = { ahead: 0, lines: [], isWhole: true };
    for (const share of new Set([shareOf(expected, this.count), most])) {
      const read = await this.after(from, { count: share, range });
      const start = sum(read.map(({ ahead }) => ahead));
      const place = offset === undefined ? start : sum(read.map(({ base }) => base)) + offset;
      const drop = Math.max(0, place - start);
      const all = read.flatMap(({ lines }) => lines).sort(this.compare);
      const lines = all.slice(drop, drop + count);
      const last = lines[count - 1];
      // A shard may hold more where it gave all it was asked for and its last line is among those wanted.
      const isAll = read.every(({ lines: own }) => {
        const end = own[share - 1];
        return end === undefined || (last !== undefined && this.compare(end, last) >= 0);
      });
      run = { ahead: start + drop, lines, isWhole: isAll && start <= place };
      if (isAll) break;
    }
    return run;
  }
}

/** How many of `count` lines a shard holds at most, but for one case in thousands: members are spread evenly. */
function shareOf(count: number, shards: number): number {
  const mean = count / shards;
  return Math.min(count, Math.ceil(mean + 3 * Math.sqrt(mean)) + 2);
}
