import type { SimulatedStanding } from './simulation';

/** The best `count` of any number of users, in order. Most are worse than all of them, by one look. */
export class Leaders {
  private readonly best: SimulatedStanding[] = [];

  constructor(private readonly count: number) {}

  add(score: SimulatedStanding): void {
    if (score.points === 0) return;
    const last = this.best.at(-1);
    if (this.best.length === this.count && last && compare(score, last) > 0) return;
    this.best.splice(this.placeOf(score), 0, score);
    if (this.best.length > this.count) this.best.pop();
  }

  /** By bisection. */
  private placeOf(score: SimulatedStanding): number {
    let [low, high] = [0, this.best.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(score, this.best[middle] as SimulatedStanding) < 0) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The best first. */
  all(): readonly SimulatedStanding[] {
    return this.best;
  }
}

/** As boards do: more points, then the earlier, then the user id's bytes, descending. */
function compare(a: SimulatedStanding, b: SimulatedStanding): number {
  return (
    b.points - a.points || a.reachedAtMs - b.reachedAtMs || Buffer.compare(Buffer.from(b.userId), Buffer.from(a.userId))
  );
}
