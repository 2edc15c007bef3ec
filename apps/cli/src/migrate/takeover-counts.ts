import type { TakenScore } from '../takeover/score-takeover';
import { sumOfPoints } from '../output/sum-of-points';

/** The outcomes of a source's entries. */
export class TakeoverCounts {
  private entries = 0;
  private unchanged = 0;
  private takenOver = 0;
  private gone = 0;
  private points = 0;
  private readonly refusals = new Map<string, number>();

  /** @param leftOut how many entries could not be read. */
  constructor(private readonly leftOut: number) {}

  /** So many entries were as they had been taken over before. */
  addUnchanged(count: number): void {
    this.entries += count;
    this.unchanged += count;
  }

  /** So many entries differed, and count now; by so many points, where that is known. */
  addTaken(count: number, points = 0): void {
    this.entries += count;
    this.takenOver += count;
    this.points = sumOfPoints(this.points, points);
  }

  /** So many entries left the source since they were taken over. */
  addGone(count: number, points = 0): void {
    this.gone += count;
    this.points = sumOfPoints(this.points, points);
  }

  /** Redis' answers; `isGone` if the users have left the source. */
  add(taken: readonly TakenScore[], isGone = false): void {
    for (const { outcome, points } of taken) {
      if (outcome === 'closed' || outcome === 'rejected') {
        this.refusals.set(outcome, (this.refusals.get(outcome) ?? 0) + 1);
        if (!isGone) this.entries += 1;
      } else if (isGone) this.addGone(1, points);
      else this.addTaken(1, points);
    }
  }

  /** How many the leaderboard did not take. */
  get refused(): number {
    return [...this.refusals.values()].reduce((sum, count) => sum + count, 0);
  }

  /** As plain data. */
  toJSON(): Readonly<Record<string, unknown>> {
    const { entries, takenOver, unchanged, gone, leftOut, points } = this;
    return { entries, takenOver, unchanged, gone, leftOut, refused: Object.fromEntries(this.refusals), points };
  }

  /** As a table. */
  toTable(): string {
    const rows: [string, number][] = [
      ['taken over', this.takenOver],
      ['unchanged', this.unchanged],
      ...(this.gone > 0 ? ([['gone', this.gone]] as [string, number][]) : []),
      ...(this.leftOut > 0 ? ([['left out', this.leftOut]] as [string, number][]) : []),
      ...this.refusals,
      ['points', this.points],
    ];
    return rows.map(([name, count]) => `  ${name.padEnd(12)}${count.toLocaleString('en').padStart(12)}`).join('\n');
  }
}
