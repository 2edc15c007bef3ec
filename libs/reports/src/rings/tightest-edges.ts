import type { GivenEdge } from './find-rings';

/** The tightest of any number of pairs, `most` of them at most: where there are more, the loosest go. */
export class TightestEdges {
  /** How many reached the least count that was asked for, kept or not. */
  count = 0;
  kept: GivenEdge[] = [];
  private least: number;

  /** @param min how often one gives the other, at least. */
  constructor(
    private readonly most: number,
    private readonly min: number,
  ) {
    this.least = min;
  }

  /** Whether it is kept, for now. */
  add(edge: GivenEdge): boolean {
    if (edge.count < this.min) return false;
    this.count += 1;
    if (edge.count < this.least) return false;
    this.kept.push(edge);
    // By half, so that few pairs are looked at twice.
    while (this.kept.length > this.most) this.drop(this.most / 2);
    return true;
  }

  private drop(wanted: number): void {
    for (let left = this.kept.length; left > wanted; left = this.kept.length) {
      this.least += 1;
      const tighter = this.kept.filter(({ count }) => count >= this.least);
      // All are as tight: the first stay.
      this.kept = tighter.length > 0 ? tighter : this.kept.slice(0, wanted);
    }
  }
}
