/** Whole percents of others behind a user who is ahead of some and not of all: 1 to 99, never rounded up. */
export function wholePercent(percentile: number): number {
  return Math.min(99, Math.max(1, Math.floor(percentile)));
}
