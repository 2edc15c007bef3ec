/** Says what time it is. All code takes "now" from a clock; only {@link systemClock} reads the wall clock. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z, a whole number. */
  now(): number;
}

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() };
