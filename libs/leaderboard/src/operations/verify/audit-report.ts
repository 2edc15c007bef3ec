import type { AuditDifference, AuditOptions } from './audit.types';

/** Counts what an audit found, tells it, and how far it is. */
export class AuditReport {
  ledgers = 0;
  entries = 0;
  differences = 0;
  healed = 0;
  private done = 0;
  private total = 0;

  constructor(private readonly options: AuditOptions) {}

  tell(difference: AuditDifference): void {
    this.differences += 1;
    if (difference.isHealed) this.healed += 1;
    this.options.onDifference?.(difference);
  }

  /** More to look at than was known. */
  expect(count: number): void {
    this.total += count;
  }

  advance(count: number): void {
    this.done = Math.min(this.done + count, this.total);
    this.options.onProgress?.(this.done, this.total);
  }
}
