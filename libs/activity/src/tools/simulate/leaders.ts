/** What puts simulated users in order. */
export interface SimulatedScore {
  readonly userId: string;
  readonly points: number;
  /** Of equal points, the earlier stands higher. */
  readonly reachedAtMs: number;
}

/** Keeps the best of any number of users, in order, in the memory of `count`. */
export class Leaders<Score extends SimulatedScore> {
  private readonly best: Score[] = [];

  constructor(private readonly count: number) {}

  add(score: Score): void {
    if (score.points === 0) return;
    const place = this.best.findIndex((other) => compare(score, other) < 0);
    if (place >= 0) this.best.splice(place, 0, score);
    else if (this.best.length < this.count) this.best.push(score);
    if (this.best.length > this.count) this.best.pop();
  }

  /** The best first. */
  all(): readonly Score[] {
    return this.best;
  }
}

/** As boards do: more points, then the earlier, then the user id's bytes, descending. */
function compare(a: SimulatedScore, b: SimulatedScore): number {
  return (
    b.points - a.points || a.reachedAtMs - b.reachedAtMs || Buffer.compare(Buffer.from(b.userId), Buffer.from(a.userId))
  );
}
