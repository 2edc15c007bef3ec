/**
 * How a text of PostgreSQL has the name of a leaderboard or of its part. A part is named by any text, but a text of
 * PostgreSQL has no place for a NUL: U+FDD0, which is no character of any script, marks where one was.
 */
export function storedLabel(leaderboard: string): string {
  return leaderboard.replace(/[\0\ufdd0]/g, (found) => (found === '\0' ? '\ufdd00' : '\ufdd01'));
}

/** The name that {@link storedLabel} made a text of. */
export function labelIn(stored: string): string {
  return stored.replace(/\ufdd0([01])/g, (_, found) => (found === '0' ? '\0' : '\ufdd0'));
}
