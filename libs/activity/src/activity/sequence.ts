let last = 0;

/** The next number of this process: of two activities made here in one millisecond the later has the higher. */
export function nextSequence(): number {
  last += 1;
  return last;
}
