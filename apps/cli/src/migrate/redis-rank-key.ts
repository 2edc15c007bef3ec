import type { Period } from '@laurel/leaderboard';
import { CommandError } from '../errors/command-error';

/** The cycles of redis-rank's PeriodicLeaderboard whose boards are those of a period here. */
export const cycles = ['daily', 'weekly', 'monthly', 'yearly'] as const;

const periodOf = { daily: 'day', weekly: 'week', monthly: 'month', yearly: 'year' } as const;

/** As redis-rank 2.2.3 counts weeks: from Sundays, since 1970. */
const [weekMs, weeksBeginMs] = [604_800_000, 345_600_000];

/**
 * The key of redis-rank's board for a period.
 * @throws CommandError where the period is not of that cycle.
 */
export function redisRankKey(
  baseKey: string,
  cycle: (typeof cycles)[number],
  { kind, start, timezone }: Period,
): string {
  if (kind !== periodOf[cycle]) {
    throw new CommandError(`--cycle is ${cycle}, but the periods of the leaderboard are of the kind ${kind}.`);
  }
  const local = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(start);
  const [year = '', month = '', day = ''] = local.split('-');
  // It takes months as JavaScript counts them, from 0.
  const ofMonth = `y${year}-m${String(Number(month) - 1).padStart(2, '0')}`;
  if (cycle === 'yearly') return `${baseKey}:y${year}`;
  if (cycle === 'monthly') return `${baseKey}:${ofMonth}`;
  if (cycle === 'daily') return `${baseKey}:${ofMonth}-d${day}`;
  const startMs = Date.parse(`${local}T00:00:00Z`) + weeksBeginMs;
  if (startMs % weekMs === 0) return `${baseKey}:w${String(startMs / weekMs).padStart(4, '0')}`;
  throw new CommandError(
    'The weeks of redis-rank begin on Sundays, those of the leaderboard on another day: give the whole key, without --cycle.',
  );
}
