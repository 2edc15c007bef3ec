import type { Clock } from '@laurel/leaderboard';

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  private time: number;

  /** @param start the first moment: milliseconds, or anything `Date` reads, e.g. `2026-11-20T08:00:00Z`. */
  constructor(start: number | string | Date) {
    this.time = new Date(start).getTime();
  }

  now(): number {
    return this.time;
  }

  /** Moves the clock to a moment, forward or back. */
  set(moment: number | string | Date): void {
    this.time = new Date(moment).getTime();
  }

  /** Moves the clock forward by this many milliseconds. */
  advance(ms: number): void {
    this.time += ms;
  }
}
