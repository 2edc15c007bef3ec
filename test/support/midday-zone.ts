import { systemClock } from '@laurel/leaderboard';

/**
 * A time zone in which it is between 11 and 13 o'clock now: no day, week or month ends while a spec runs there. The
 * community stamps what its users do with the database's clock, which no spec can set; so the zone moves instead.
 */
export function middayZone(nowMs: number = systemClock.now()): string {
  // At eleven hours from UTC at most, noon in UTC lies on the zone's own date.
  const ahead = Math.max(11 - new Date(nowMs).getUTCHours(), -11);
  // The sign is POSIX' own: west of Greenwich counts up.
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}

/** The zone of all that this process starts: an hour may end meanwhile. */
export const testZone = middayZone();
