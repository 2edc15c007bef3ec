import type { SimulatedStanding } from './simulation';

/** The best `count` of any number of users, in order. */
export class Leaders {
  private readonly best: SimulatedStanding[] = [];

  constructor(private readonly count: number) {}

  add(score: SimulatedStanding): void {
    if (score.points === 0) return;
    const place = this.best.findIndex((other) => compare(score, other) < 0);
    if (place >= 0) this.best.splice(place, 0, score);
    else if (this.best.length < this.count) this.best.push(score);
    if (this.best.length > this.count) this.best.pop();
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
