/** The most refusals that are listed, of all instances together. */
export const maxTraced = 1_000;

/** An activity that was refused, on some leaderboards at least. */
export class TracedRefusal {
  /** @format date-time */
  readonly at: string;
  /** @example 42 */
  readonly userId: string;
  /** @example praise */
  readonly action: string;
  /** @example article:7 */
  readonly subject: string;
  readonly outcome: 'limited' | 'rejected';
  /** The limit's name, `future` or `scoreOutOfRange`. @example praise-daily */
  readonly reason: string;
  /** @format date-time */
  readonly allowedAgainAt: string | null;
  /** The leaderboards, or their partitions, that refused it, where others accepted it. @example ["writers"] */
  readonly leaderboards?: readonly string[];
  /** Of a limit of the app's own type that failed: the error of Redis. */
  readonly fault?: string;
}

/** The latest refusals, the latest first. */
export class RefusalsAnswer {
  readonly refusals: readonly TracedRefusal[];
}
