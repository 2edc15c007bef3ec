import { type Outcome } from '@laurel/activity';
import { outcomeNames } from '@laurel/activity/http';
import { sumOfPoints } from './sum-of-points';

/**
 * Explains duplicates in these counts. The module or ioredis sends a call again if its answer came too late or its
 * connection was lost; activities that the first call granted are then duplicates without points.
 */
const duplicateNote = 'duplicate: granted before, or by a call of this run that was sent again';

/** The outcomes of many activities, as Redis answered. */
export class OutcomeCounts {
  private readonly counts = new Map<Outcome['outcome'], number>();
  private sum = 0;
  private pointsSum = 0;

  add(outcomes: readonly Outcome[]): void {
    for (const { outcome, points } of outcomes) {
      this.counts.set(outcome, this.of(outcome) + 1);
      this.pointsSum = sumOfPoints(this.pointsSum, points);
    }
    this.sum += outcomes.length;
  }

  /** How many activities had this outcome. */
  of(outcome: Outcome['outcome']): number {
    return this.counts.get(outcome) ?? 0;
  }

  /** How many activities there were. */
  get total(): number {
    return this.sum;
  }

  /** The change of all users' points, as far as it was answered: see {@link duplicateNote}. */
  get points(): number {
    return this.pointsSum;
  }

  /** As plain data, every outcome named. */
  toJSON(): Readonly<Record<string, unknown>> {
    const outcomes = Object.fromEntries(outcomeNames.map((name) => [name, this.of(name)]));
    return { activities: this.sum, points: this.pointsSum, outcomes };
  }

  /** As a table, without the outcomes that did not occur. */
  toTable(): string {
    const rows = outcomeNames.filter((name) => this.of(name) > 0).map((name) => [name, this.of(name)] as const);
    const lines = [...rows, ['activities', this.sum] as const, ['points', this.pointsSum] as const].map(
      ([name, count]) => `  ${name.padEnd(12)}${count.toLocaleString('en').padStart(12)}`,
    );
    lines.splice(rows.length, 0, `  ${'-'.repeat(24)}`);
    if (this.of('duplicate') > 0) lines.push('', `  ${duplicateNote}`);
    return lines.join('\n');
  }
}
