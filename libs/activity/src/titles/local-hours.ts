/** Zones differ by multiples of a quarter of an hour, and change at such moments. */
const quarterMs = 900_000;

/** A week has 672 quarters. */
const maxKept = 20_000;

const byZone = new Map<string, (ms: number) => number>();

/** Tells the hour, 0 to 23, of moments in a zone. Asking the zone costs microseconds: each quarter of an hour is asked once. */
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
  const hours = new Map<number, number>();
  return (ms) => {
    const quarter = Math.floor(ms / quarterMs);
    let hour = hours.get(quarter);
    if (hour === undefined) {
      if (hours.size >= maxKept) hours.clear();
      hour = Number(format.format(ms));
      hours.set(quarter, hour);
    }
    return hour;
  };
}
