import { systemClock } from '@laurel/leaderboard';
import { TimedCache } from '../core/cache/timed-cache';

/** Zones differ by multiples of a quarter of an hour, and change at such moments. */
const quarterMs = 900_000;

/** A week has 672 quarters. */
const maxQuarters = 20_000;

const byZone = new Map<string, (ms: number) => number>();

/**
 * Finds the hour, 0 to 23, of moments in a zone. A zone is asked once for each quarter of an hour: that takes
 * microseconds.
 */
export function localHours(timezone: string): (ms: number) => number {
  let hourAt = byZone.get(timezone);
  if (!hourAt) {
    hourAt = hoursIn(timezone);
    byZone.set(timezone, hourAt);
  }
  return hourAt;
}

function hoursIn(timeZone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: 'numeric', hourCycle: 'h23' });
  const hours = new TimedCache<number, number>({ clock: systemClock, ttlMs: Infinity, maxWeight: maxQuarters });
  return (ms) => {
    const quarter = Math.floor(ms / quarterMs);
    let hour = hours.get(quarter);
    if (hour === undefined) {
      hour = Number(format.format(ms));
      hours.set(quarter, hour);
    }
    return hour;
  };
}
