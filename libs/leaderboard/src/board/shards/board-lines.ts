import type { Order } from '../order/line';
import type { BoardParts, LineRange, Run } from './board-parts';
import { beforeLine, type Bound } from '../order/bound';
import { boardOrder } from '../order/line';
import { readBehind, shareOf } from './merge';
import { findNear, pivotNear, tolerance, type Range } from './select';
import { sum } from '../../lists/lists';
import { aheadOfAll } from './stream';

/** How often a run is read, at most, where lines come and go ahead of it between two round trips. */
const maxTries = 5;

/** A run, and whether it is the one that was asked for. */
interface Attempt extends Run {
  readonly isWhole: boolean;
}

/** Where a run is: behind a bound, of a range or to the end. */
interface Sought extends Range {
  readonly offset: number;
  readonly count: number;
  readonly range?: LineRange;
}

/** Runs of a board's lines in rank order, the same from one part as from many. */
export class BoardLines {
  constructor(
    private readonly parts: BoardParts,
    private readonly order: Order,
  ) {}

  /**
   * Up to `count` lines, passing over the first `offset`. Lines that come and go meanwhile may move the run by a few places;
   * it is read again then, and its ranks are right as of the moment at which it was read.
   */
  async at(offset: number, count: number): Promise<Run> {
    if (this.parts.count === 1) {
      const [lines = []] = await this.parts.slices([{ part: 0, start: offset, count }]);
      return { ahead: offset, lines };
    }
    if (this.parts.isInOnePlace) return this.parts.page(offset, count);
    if (offset === 0) return readBehind(this.parts, this.order, aheadOfAll(this.order), count);
    const low = new Array<number>(this.parts.count).fill(0);
    return this.untilWhole(async () => {
      const [high, first] = await Promise.all([this.parts.sizes(), pivotNear(this.parts, offset)]);
      return this.runAt(aheadOfAll(this.order), { low, high, first, offset, count });
    });
  }

  /** Up to `count` lines behind a bound. */
  async behind(bound: Bound, count: number): Promise<Run> {
    if (this.parts.count > 1 && this.parts.isInOnePlace) return this.parts.page(0, count, { from: bound });
    return readBehind(this.parts, this.order, bound, count);
  }

  /** Up to `count` lines of a range, passing over the first `offset` of them. Others that come and go do not disturb it. */
  async between(range: LineRange, offset: number, count: number): Promise<Run> {
    const { from, until } = range;
    if (this.parts.count === 1) {
      const [read] = await this.parts.after(from, { skip: offset, count, range });
      return read ?? { ahead: 0, lines: [] };
    }
    if (this.parts.isInOnePlace) return this.parts.page(offset, count, range);
    return this.untilWhole(async () => {
      const counts = await this.parts.countAhead([from, until]);
      const low = counts.map((ofPart) => ofPart[0] as number);
      const high = counts.map((ofPart) => Math.max(ofPart[1] as number, ofPart[0] as number));
      return this.runAt(from, { low, high, offset, count, range });
    });
  }

  /** The member's line and `radius` neighbours on each side, filled up from the other side at the ends; null without him. */
  async around(member: string, radius: number): Promise<Run | null> {
    if (this.parts.count === 1) return this.parts.around(member, radius);
    return this.untilWhole(() => this.window(member, radius));
  }

  private async untilWhole<R extends Attempt | null>(read: () => Promise<R>): Promise<R> {
    for (let tries = 1; ; tries++) {
      const run = await read();
      if (!run || run.isWhole || tries === maxTries) return run;
    }
  }

  /**
   * Up to `count` lines from the one at `offset` behind a bound on, of a range or to the end. They are read from a line near
   * it on, with how many stand ahead of that line, and of the range, now: so they lie where they should even if others came
   * or went while it was looked for.
   */
  private async runAt(from: Bound, { low, high, first, offset, count, range }: Sought): Promise<Attempt> {
    const expected = { ahead: sum(low) + offset, lines: [] };
    const wanted = Math.min(count, sum(high) - expected.ahead);
    if (wanted <= 0) return { ...expected, isWhole: true };
    const { anchor, distance } = await findNear(this.parts, offset, { low, high, first });
    const most = distance + wanted + tolerance;
    let run: Attempt = { ...expected, isWhole: false };
    for (const asked of [shareOf(distance + wanted, this.parts.count), most]) {
      const read = await (anchor
        ? this.parts.from(anchor.part, anchor.index, { count: asked, range })
        : this.parts.after(from, { count: asked, range }));
      if (!read) return run;
      const ahead = sum(read.map((part) => part.ahead));
      const place = sum(read.map((part) => part.base)) + offset;
      const compare = boardOrder(this.order);
      const lines = read.flatMap((part) => part.lines).sort(compare);
      const drop = Math.max(0, place - ahead);
      const last = lines[drop + count - 1];
      // A part may hold more where it gave all it was asked for and its last line is among those wanted.
      const isAll = read.every(({ lines: own }) => {
        const end = own[asked - 1];
        return end === undefined || (last !== undefined && compare(end, last) >= 0);
      });
      run = { ahead: ahead + drop, lines: lines.slice(drop, drop + count), isWhole: isAll && ahead <= place };
      if (isAll) break;
    }
    return run;
  }

  /** Of each part what stands near the member's place, and whether he still stood there when it was read. */
  private async window(member: string, radius: number): Promise<Attempt | null> {
    const [line] = await this.parts.find([member]);
    if (!line) return null;
    const [counts, sizes] = await Promise.all([this.parts.countAhead([beforeLine(line)]), this.parts.sizes()]);
    const ahead = counts.map((ofPart) => ofPart[0] as number);
    const width = Math.min(2 * radius + 1, sum(sizes));
    const start = Math.max(0, Math.min(sum(ahead) - radius, sum(sizes) - width));
    const before = sum(ahead) - start;
    const slices = ahead.map((own, part) => ({
      part,
      start: Math.max(0, own - before),
      count: Math.min(own, before) + width - before,
    }));
    const lines = (await this.parts.slices(slices)).flat().sort(boardOrder(this.order));
    const drop = sum(ahead.map((own) => Math.min(own, before))) - before;
    const { element, score } = lines[drop + before] ?? {};
    const isWhole = element === line.element && score === line.score;
    return { ahead: start, lines: lines.slice(drop, drop + width), isWhole };
  }
}
