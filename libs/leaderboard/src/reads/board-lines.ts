import type { Order } from '../score/packed';
import type { BoardParts } from './board-parts';
import { beforeLine, type Bound } from './bound';
import { boardOrder, type Line } from './line';
import { readMerged } from './merge';
import { findOffset, pivotNear, sum } from './select';

/** How often a window is read, at most, where lines come and go ahead of its member between two round trips. */
const maxWindows = 5;

/** Lines that follow one another on the whole board, and how many stand ahead of them. */
export interface Run {
  readonly ahead: number;
  readonly lines: readonly Line[];
}

/** Runs of a board's lines in rank order, the same from one part as from many. */
export class BoardLines {
  constructor(
    private readonly parts: BoardParts,
    private readonly order: Order,
  ) {}

  /** Up to `count` lines, passing over the first `offset`. */
  async at(offset: number, count: number): Promise<readonly Line[]> {
    if (this.parts.count === 1) return (await this.parts.slices([{ part: 0, start: offset, count }]))[0] ?? [];
    const nothing = new Array<number>(this.parts.count).fill(0);
    if (offset === 0) return readMerged(this.parts, this.order, nothing, count);
    const [sizes, pivot] = await Promise.all([this.parts.sizes(), pivotNear(this.parts, offset)]);
    const wanted = Math.min(count, sum(sizes) - offset);
    if (wanted <= 0) return [];
    const { starts, drop } = await findOffset(this.parts, offset, nothing, sizes, pivot);
    return (await readMerged(this.parts, this.order, starts, drop + wanted)).slice(drop);
  }

  /** Up to `count` lines behind a bound. */
  async behind(bound: Bound, count: number): Promise<Run> {
    const read = await this.parts.after(bound, { count });
    const lines = read.flatMap((part) => part.lines);
    if (read.length > 1) lines.sort(boardOrder(this.order));
    return { ahead: sum(read.map((part) => part.ahead)), lines: lines.slice(0, count) };
  }

  /** Up to `count` lines between two bounds, passing over the first `offset` of them. */
  async between(from: Bound, to: Bound, offset: number, count: number): Promise<Run> {
    if (this.parts.count === 1) {
      const [read] = await this.parts.after(from, { skip: offset, count, until: to });
      return read ?? { ahead: 0, lines: [] };
    }
    const counts = await this.parts.countAhead([from, to]);
    const low = counts.map((ofPart) => ofPart[0] as number);
    const high = counts.map((ofPart) => Math.max(ofPart[1] as number, ofPart[0] as number));
    const ahead = sum(low) + offset;
    const wanted = Math.min(count, sum(high) - ahead);
    if (wanted <= 0) return { ahead, lines: [] };
    const { starts, drop } = await findOffset(this.parts, offset, low, high);
    const lines = await readMerged(this.parts, this.order, starts, drop + wanted);
    return { ahead, lines: lines.slice(drop) };
  }

  /** The member's line and `radius` neighbours on each side, filled up from the other side at the ends; null without him. */
  async around(member: string, radius: number): Promise<Run | null> {
    if (this.parts.count === 1) return this.parts.around(member, radius);
    for (let tries = 1; ; tries++) {
      const window = await this.window(member, radius);
      if (!window || window.isWhole || tries === maxWindows) return window;
    }
  }

  /** Of each part what stands near the member's place, and whether he still stood there when it was read. */
  private async window(member: string, radius: number): Promise<(Run & { readonly isWhole: boolean }) | null> {
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
