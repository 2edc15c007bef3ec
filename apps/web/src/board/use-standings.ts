import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { now } from '../browser/clock';
import { type ApiError, isPassing } from '../http/api-error';
import { poll } from '../live/poll';
import type { Overtaken, Stop } from '../live/watch';
import { watchBoard } from '../live/watch-board';
import { followToday, hearToday } from '../points/own-points';
import { firstBoard } from '../ranks/boards';
import { session } from '../session/session';
import { connection } from '../shell/connection';
import { followOwnLine } from './follow-own-line';
import { type BoardAddress, readAround, readStanding, type Standing, type Standings } from '../ranks/ranks';

const aroundEveryMs = 2_000;

/** What is shown of a board. */
export interface BoardView {
  /** Null until the first came. While the server is away what was last read stays. */
  readonly page: Standings | null;
  /** What was shown just before `page`, of the same view; null for the first. */
  readonly before: Standings | null;
  readonly readAt: Date | null;
  readonly fault: ApiError | null;
}

const nothing: BoardView = { page: null, before: null, readAt: null, fault: null };

/** Which lines of a board are shown, and who hears of what happens on it. */
export interface StandingsWish {
  readonly board: BoardAddress;
  readonly limit: number;
  /** Show the lines around this user instead of the first ones. */
  readonly around: string | null;
  /** A user who was signed in was passed; hand in one from `useCallback`. */
  readonly overtaken: (userId: string, by: Overtaken) => void;
}

/** Follows a board for as long as it is shown, together with the signed-in user's own standing on it. */
export function useStandings({ board, limit, around, overtaken }: StandingsWish): BoardView & {
  readonly own: Standing | null;
} {
  const { leaderboard, period, partition } = board;
  const user = session.value?.user.id ?? null;
  const shown = `${leaderboard} ${period} ${partition ?? ''} ${around ?? ''}`;
  const [{ view, of }, setView] = useState({ view: nothing, of: shown });
  const [own, setOwn] = useState<{ standing: Standing; of: string } | null>(null);
  const ownIs = `${user ?? ''} ${leaderboard} ${period} ${partition ?? ''}`;
  const isToday = user !== null && leaderboard === firstBoard && period === 'current' && partition === undefined;

  // Before what is drawn with the board begins to ask.
  useLayoutEffect(() => (isToday ? followToday() : undefined), [isToday]);

  useEffect(() => {
    const address = { leaderboard, period, partition };
    connection.value = period === 'current' ? 'waiting' : 'past';
    const show = (page: Standings) => {
      if (period === 'current') connection.value = 'live';
      setView((last) => ({
        view: { page, before: last.of === shown ? last.view.page : null, readAt: now(), fault: null },
        of: shown,
      }));
    };
    const fault = (error: ApiError) => {
      const { kind } = error;
      connection.value = kind === 'offline' || kind === 'away' ? kind : isPassing(error) ? 'waiting' : null;
      setView((last) => ({ view: { ...(last.of === shown ? last.view : nothing), fault: error }, of: shown }));
    };
    const heard = () => {
      connection.value = 'live';
      setView((last) => ({ ...last, view: { ...last.view, fault: null } }));
    };
    const ownLine =
      user === null
        ? null
        : followOwnLine({
            read: (signal) => readStanding(address, user, signal),
            hear: (standing) => {
              setOwn({ standing, of: ownIs });
              if (isToday) hearToday(standing.entry.score);
            },
          });
    const stops: Stop[] = [];
    if (around !== null) {
      stops.push(
        poll({ everyMs: aroundEveryMs, ask: (signal) => readAround(address, around, signal), answer: show, fault }),
      );
    }
    stops.push(
      watchBoard(address, limit, {
        standings: (page) => {
          if (around === null) show(page);
          ownLine?.moved();
        },
        heard: () => around === null && heard(),
        ownPlace: (place) => (place ? ownLine?.told(place) : ownLine?.asked()),
        overtaken: (by) => user !== null && overtaken(user, by),
        fault: around === null ? fault : () => undefined,
      }),
    );
    return () => {
      for (const stop of stops) stop();
      ownLine?.stop();
      connection.value = null;
    };
  }, [leaderboard, period, partition, limit, around, user, overtaken, shown, ownIs, isToday]);

  return { ...(of === shown ? view : nothing), own: own?.of === ownIs ? own.standing : null };
}
