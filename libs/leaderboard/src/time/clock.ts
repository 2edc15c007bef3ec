/** Where the time comes from. Everything that needs "now" is given a clock; nothing reads the wall clock itself. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z, a whole number. */
  now(): number;
}

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() };
