import { firstPlace } from '../lists/lists';
import type { Clock } from '../time/clock';
import type { Line, Score } from './order/order';
import { type Group, groupOrder } from './layouts/layout';
import type { BoardShards } from './shards/board-shards';

/** Finding a score takes Redis 2 us. It is kept for twenty times that, so counting takes at most a twentieth. */
const keptMsAScore = 0.04;

/** How many distinct scores of a board are better than others: what dense ranks count. */
export class DistinctScores<S extends Score> {
  private kept: { readonly walk: ScoreWalk<S>; readonly begunAtMs: number } | undefined;

  constructor(
    private readonly shards: BoardShards<S>,
    /** How old counted scores may be, 0: each call counts for itself. */
    private readonly options: { readonly maxAgeMs: number; readonly clock: Clock },
  ) {}

  /** How many distinct scores are better than each line's. One round trip for each 1,000 not counted yet. */
  async ahead(lines: readonly Line[]): Promise<number[]> {
    const [first] = lines;
    if (!first) return [];
    const { layout } = this.shards;
    const compare = groupOrder(layout.order);
    const groups = lines.map((line) => layout.group(line));
    const last = lines.reduce((a, b) => (compare(layout.group(a), layout.group(b)) < 0 ? b : a), first);
    const walk = this.walk();
    await walk.reach(last);
    return groups.map((group) => walk.countBefore(group));
  }

  private walk(): ScoreWalk<S> {
    const { maxAgeMs, clock } = this.options;
    if (maxAgeMs === 0) return new ScoreWalk(this.shards);
    if (this.kept && this.leftMs(this.kept) > 0) return this.kept.walk;
    const walk = new ScoreWalk(this.shards);
    this.keep({ walk, begunAtMs: clock.now() });
    return walk;
  }

  /** Nothing is kept for longer than it may be used, also where nobody asks again. */
  private keep(made: NonNullable<typeof this.kept>): void {
    this.kept = made;
    const letGo = () => {
      if (this.kept !== made) return;
      const leftMs = this.leftMs(made);
      if (leftMs > 0) setTimeout(letGo, leftMs).unref();
      else this.kept = undefined;
    };
    setTimeout(letGo, this.options.maxAgeMs).unref();
  }

  /** For how long it may be used. */
  private leftMs({ walk, begunAtMs }: NonNullable<typeof this.kept>): number {
    const ageMs = this.options.clock.now() - begunAtMs;
    return ageMs < 0 ? 0 : Math.max(this.options.maxAgeMs, walk.count * keptMsAScore) - ageMs;
  }
}

/** A board's distinct scores from the best one on, as far down as they were asked for. */
class ScoreWalk<S extends Score> {
  private readonly compare: (a: Group, b: Group) => number;
  private found: Group[] = [];
  private edges: readonly string[];
  /** All scores better than this one were found. */
  private reached: Group | undefined;
  private underWay: Promise<void> = Promise.resolve();

  constructor(private readonly shards: BoardShards<S>) {
    this.compare = groupOrder(shards.layout.order);
    this.edges = new Array<string>(shards.count).fill('');
  }

  /** How many were found. */
  get count(): number {
    return this.found.length;
  }

  /** Finds all that are better than the line's score: those that are not found yet. */
  reach(line: Line): Promise<void> {
    const goOn = () => this.extend(line);
    this.underWay = this.underWay.then(goOn, goOn);
    return this.underWay;
  }

  /** How many of those found are better. */
  countBefore(group: Group): number {
    return firstPlace(this.found.length, (at) => this.compare(this.found[at] as Group, group) < 0);
  }

  private async extend(line: Line): Promise<void> {
    const { reached, shards } = this;
    const { layout } = shards;
    const until = layout.group(line);
    if (reached !== undefined && this.compare(reached, until) >= 0) return;
    const bound = layout.beforeGroup(line);
    const fresh = new Set<Group>();
    let { edges } = this;
    for (let isDone = false; !isDone;) {
      const next = await shards.distinctAhead(bound, { edges, isFirst: edges === this.edges });
      for (const line of next.lines) fresh.add(layout.group(line));
      ({ edges, isDone } = next);
    }
    // A score that came since the walk passed its place is not counted: those found stay in order.
    const behind = [...fresh].filter((group) => reached === undefined || this.compare(group, reached) >= 0);
    if (shards.count > 1) behind.sort(this.compare);
    for (const group of behind) this.found.push(group);
    this.edges = edges;
    this.reached = until;
  }
}
