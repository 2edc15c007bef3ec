import { useEffect, useState } from 'preact/hooks';
import { now } from '../browser/clock';

const minuteMs = 60_000;

/** Draws anew at each turn of the minute, for what is told of the time. Gives the minute that it is, as a number. */
export function useEachMinute(): number {
  const [minute, setMinute] = useState(minuteNow);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      setMinute(minuteNow());
      timer = setTimeout(tick, minuteMs - (now().getTime() % minuteMs));
    };
    tick();
    return () => clearTimeout(timer);
  }, []);
  return minute;
}

const minuteNow = () => Math.floor(now().getTime() / minuteMs);
