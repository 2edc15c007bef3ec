import { type Line, type Score, boardOrder } from '../order/order';
import type { BoardShards } from '../shards/board-shards';
import type { Sample } from '../shards/shard-lines';
import { firstPlace, sum } from '../../lists/lists';
import { type BoardLayout, type Group, groupOrder } from '../layouts/layout';
import type { Estimate, EstimateOptions } from './estimate';

/** How often an estimate may lie further off than its error says. */
const missed = 1 / 2_000;

/**
 * Lines of a board and how many others stand ahead of each: exactly for the best ones, which it holds all, and nearly
 * for what lies between two lines of the samples.
 *
 * Of one shard with a line at every g-th place, the middle between two lines is off by at most g / 2, and since the
 * first line's place is drawn at random, evenly so. Of several shards the errors are independent and seldom fall the
 * same way: the sum of even errors of widths g1, g2... lies beyond t in at most 2 * exp(-6 * t * t / (g1 * g1 + g2 * g2
 * + ...)) of all cases (even errors are strictly sub-Gaussian). No assumption about the scores is made.
 */
export class QuantileTable<S extends Score> {
  private readonly lines: readonly Line[];
  private readonly groups: readonly Group[];
  /** For each gap, the first one ahead of all lines: how many entries stand ahead of it, at its middle and its ends. */
  private readonly middles: Float64Array;
  private readonly lows: Float64Array;
  private readonly highs: Float64Array;
  /** The error of gaps behind the best lines. */
  private readonly gapError: number;
  /** How many of the first gaps have no error. */
  private readonly exact: number;
  private readonly order: (a: Line, b: Line) => number;
  private readonly groupOrder: (a: Group, b: Group) => number;
  /** Raw scores that one group spans; 0: a group is a raw score. */
  private readonly unit: number;

  /** @param top the best lines of the whole board */
  constructor(
    samples: readonly Sample[],
    top: readonly Line[],
    layout: BoardLayout<S>,
    private readonly firstRank: number,
  ) {
    this.order = boardOrder(layout.order);
    this.groupOrder = groupOrder(layout.order);
    const last = top[top.length - 1];
    const size = Math.max(sum(samples.map((sample) => sample.size)), top.length);
    let ahead = 0;
    const knots: { readonly line: Line; readonly step: number }[] = [];
    for (const { lines, size: own, start } of samples) {
      const step = lines.length === 0 ? 0 : own / lines.length;
      // Where every line was read, the middle of a gap is its one place.
      if (step > 1) ahead += (start - 0.5) * step;
      for (const line of lines) {
        if (last && this.order(line, last) <= 0) ahead += step;
        else knots.push({ line, step });
      }
    }
    knots.sort((a, b) => this.order(a.line, b.line));

    const lines = [...top, ...knots.map(({ line }) => line)];
    this.lines = lines;
    this.groups = lines.map((line) => layout.group(line));
    this.unit = layout.grouping.by === 'score' ? layout.grouping.unit : 0;

    const steps = samples.map((sample) => sample.size / Math.max(sample.lines.length, 1)).filter((step) => step > 1);
    const likely = Math.sqrt((sum(steps.map((step) => step * step)) * Math.log(2 / missed)) / 6);
    this.gapError = Math.min(likely, sum(steps) / 2);
    this.exact = top.length >= size ? size + 1 : top.length;

    const within = (count: number): number => Math.min(Math.max(count, top.length), size);
    this.middles = new Float64Array(lines.length + 1);
    this.lows = new Float64Array(lines.length + 1);
    this.highs = new Float64Array(lines.length + 1);
    for (let gap = 0; gap <= lines.length; gap++) {
      if (gap < top.length) {
        this.middles[gap] = this.lows[gap] = this.highs[gap] = gap;
        continue;
      }
      const before = knots[gap - top.length - 1]?.step ?? 0;
      const after = knots[gap - top.length]?.step ?? 0;
      ahead += before;
      this.middles[gap] = within(ahead);
      this.lows[gap] = within(ahead - (before > 1 ? before / 2 : 0));
      this.highs[gap] = within(ahead + (after > 1 ? after / 2 : 0));
    }
  }

  /** Where a line stands. */
  ofLine(line: Line): Estimate {
    const ahead = firstPlace(this.lines.length, (at) => this.order(this.lines[at] as Line, line) < 0);
    return this.within(ahead, line.score);
  }

  /** Where an entry of this group stands: any of them, so that the more have the group, the greater the error. */
  ofGroup(group: Group): Estimate {
    const orderAt = (at: number) => this.groupOrder(this.groups[at] as Group, group);
    const first = firstPlace(this.groups.length, (at) => orderAt(at) < 0);
    const last = firstPlace(this.groups.length, (at) => orderAt(at) <= 0);
    if (first === last) return this.within(first, typeof group === 'number' ? this.middleOf(group) : 0);
    const best = this.middles[first] as number;
    // The last one of the group stands ahead of its end itself.
    const worst = Math.max((this.middles[last] as number) - 1, best);
    return this.estimate((best + worst) / 2, (worst - best) / 2, last);
  }

  /** Between two lines of different scores by the score, otherwise in the middle. */
  private within(gap: number, score: number): Estimate {
    const middle = this.middles[gap] as number;
    const [better, worse] = [this.lines[gap - 1]?.score ?? NaN, this.lines[gap]?.score ?? NaN];
    // Halves: the distance of two doubles may be more than a double holds.
    const share = (score / 2 - better / 2) / (worse / 2 - better / 2);
    if (!(share > 0 && share < 1)) return this.estimate(middle, 0, gap);
    const low = this.lows[gap] as number;
    return this.estimate(low + ((this.highs[gap] as number) - low) * share, 0, gap, middle);
  }

  /** The place `ahead`, where `spread` is what is open besides the gap's own error, whose middle is `middle`. */
  private estimate(ahead: number, spread: number, gap: number, middle = ahead): Estimate {
    const place = Math.round(ahead);
    const own = gap < this.exact ? 0 : this.gapError;
    return { rank: this.firstRank + place, error: Math.ceil(own + spread + Math.abs(place - middle)) };
  }

  private middleOf(group: number): number {
    return this.unit === 0 ? group : (group + 0.5) * this.unit;
  }
}

/** Lines that tell where in a segment an entry stands. */
const linesASegment = 12;

/** Reads a board's table: the best lines, and of each shard as many as make one error on any number of shards. */
export async function readTable<S extends Score>(
  shards: BoardShards<S>,
  settings: Required<EstimateOptions>,
  firstRank: number,
): Promise<QuantileTable<S>> {
  const count = Math.ceil((linesASegment * settings.segments) / Math.sqrt(shards.count));
  const best = settings.exactTop > 0 ? shards.at(0, settings.exactTop) : { lines: [] };
  const [samples, { lines: top }] = await Promise.all([shards.spread(count), best]);
  return new QuantileTable(samples, top, shards.layout, firstRank);
}
