/** The reader's own clock: the one file that reads it. */
export function now(): Date {
  return new Date();
}
