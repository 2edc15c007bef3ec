import { Period } from '@laurel/leaderboard';
import type { Chance } from '../chance/chance';
import { type Act, habits } from '../people/habits';
import { type Inhabitant, leftDaysAgo } from '../people/people';

/** Somebody does something at a moment. */
export interface Slot {
  readonly atMs: number;
  /** Their place among the inhabitants. */
  readonly person: number;
  /** `crawl`: reads what they have not read that day, page after page. */
  readonly act: Act | 'crawl';
}

/** A local day of the past. */
export interface Day {
  readonly date: string;
  readonly startMs: number;
  readonly endMs: number;
  /** 0 is Monday. */
  readonly weekday: number;
  readonly daysAgo: number;
}

const hourMs = 3_600_000;

/** On which days the farmer reads more than counts, in days before the last one, and how much. */
const crawlsDaysAgo = [1, 19, 40];
const crawled = 130;

/** The last so many local days up to a moment. */
export function daysUpTo(endMs: number, count: number, timezone: string): Day[] {
  const days: Day[] = [];
  let period = Period.of('day', new Date(endMs), timezone);
  for (let daysAgo = 0; daysAgo < count; daysAgo += 1) {
    const startMs = period.start.getTime();
    const weekday = (new Date(`${period.key}T00:00:00Z`).getUTCDay() + 6) % 7;
    days.unshift({ date: period.key, startMs, endMs: (period.end as Date).getTime(), weekday, daysAgo });
    period = Period.of('day', new Date(startMs - 1), timezone);
  }
  return days;
}

/** A person's acts of a day with their moments, by habit: in one sitting, minute after minute. */
export function visitsOf(person: number, of: Inhabitant, day: Day, chance: Chance): Slot[] {
  const { daysAgo, weekday, startMs } = day;
  const { joinedDaysAgo = Infinity, part } = of;
  if (daysAgo > joinedDaysAgo || (part === 'left' && daysAgo <= leftDaysAgo)) return [];
  const habit = habits[of.habit];
  const isCrawling = part === 'farmer' && crawlsDaysAgo.includes(daysAgo);
  const isFirst = daysAgo === joinedDaysAgo;
  if (!isCrawling && !isFirst && !chance.happens(habit.days[weekday] ?? 0)) return [];
  const [from, to] = chance.anyOf<readonly [number, number]>(habit.hours) ?? [8, 22];
  let atMs = startMs + chance.between(from, to) * hourMs;
  const count = isCrawling ? crawled : Math.round(habit.pace * mood(person, daysAgo) * chance.between(0.5, 1.5));
  const pauseMs = isCrawling ? 8_000 : 75_000;
  return Array.from({ length: count }, () => {
    atMs += Math.ceil(pauseMs * chance.between(0.2, 1.8));
    const act = isCrawling ? 'crawl' : chance.weighted(Object.entries(habit.acts).map(([name, n]) => [n, name as Act]));
    return { atMs, person, act };
  });
}

/** Some weeks people have more time than others, each at another time of the year; all come to like it more. */
function mood(person: number, daysAgo: number): number {
  const weeks = 5 + (person % 7);
  return (1 + 0.6 * Math.sin((2 * Math.PI * daysAgo) / (weeks * 7) + person)) * 0.998 ** daysAgo;
}
