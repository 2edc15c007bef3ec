import { RollingBoard, type Ledger, type RedisClient } from '@laurel/leaderboard';
import type { LeaderboardSettings } from '../options/settings';

/** A leaderboard whose periods are so many days up to each day. */
export interface Span {
  readonly settings: LeaderboardSettings;
  readonly windows: RollingBoard;
}

/** The spans of a leaderboard, by how many days they have; null of one that is not made of days. */
export type Spans = ((days: number) => Span) | null;

/** How old a span may be that is read, where its leaderboard does not say it of its own window. */
const refreshMs = 10_000;

export function spansOf(redis: RedisClient, ledger: Ledger, leaderboard: LeaderboardSettings): Spans {
  if (leaderboard.fedSpec !== 'day') return null;
  const known = new Map<number, Span>();
  return (days) => {
    const found = known.get(days);
    if (found) return found;
    const rolling = { days, refreshMs: leaderboard.rolling?.refreshMs ?? refreshMs };
    const spec = Object.freeze({ kind: 'rolling' as const, days });
    const settings = Object.freeze({ ...leaderboard, period: 'rolling' as const, spec, rolling });
    const span = { settings, windows: new RollingBoard(redis, ledger, { board: leaderboard.name, ...rolling }) };
    known.set(days, span);
    return span;
  };
}
