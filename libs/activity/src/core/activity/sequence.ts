let last = 0;
let stampedAtMs = -Infinity;
let stamped = 0;

/** The next number of this process: of two activities made here in one millisecond the later has the higher. */
export function nextSequence(): number {
  last = Math.max(last, stamped) + 1;
  return last;
}

/**
 * The number of an activity that is stamped with this moment. Without one of {@link nextSequence}, it is counted from 0
 * in each millisecond, as ledgers store that in the fewest bytes; it is later than all stamped here before.
 */
export function sequenceAt(nowMs: number, given: number | null | undefined): number {
  // A clock that went back goes on with the numbers of the moment that it had reached.
  const isLater = nowMs > stampedAtMs;
  const number = given ?? (isLater ? 0 : stamped + 1);
  // A caller's own number orders no other activity.
  if (given == null || given <= last) {
    stamped = isLater ? number : Math.max(stamped, number);
    if (isLater) stampedAtMs = nowMs;
  }
  return number;
}
