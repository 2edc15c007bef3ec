import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type ApiError, isPassing } from '../http/api-error';
import { poll } from '../live/poll';
import type { Overtaken, Stop } from '../live/watch';
import { watchBoard } from '../live/watch-board';
import { resourceOf } from '../resource/resource';
import { session } from '../session/session';
import { connection } from '../shell/connection';
import { followOwnLine } from './follow-own-line';
import {
  aroundQuery,
  type BoardAddress,
  followedBoardQuery,
  type Standing,
  standingQuery,
  type Standings,
  topQuery,
} from '../ranks/ranks';

/** How often a board without a stream is read. */
const aroundEveryMs = 2_000;

/** A board as the page shows it. */
export interface BoardView {
  /** Null until the first came. While the server is away what was last read stays. */
  readonly page: Standings | null;
  /** The page of the same view before `page`; null for the first. */
  readonly before: Standings | null;
  readonly readAt: Date | null;
  readonly fault: ApiError | null;
}

/** Which lines of a board are shown, and who hears of what happens on it. */
export interface StandingsWish {
  readonly board: BoardAddress;
  readonly limit: number;
  /** Show the lines around this user instead of the first ones. */
  readonly around: string | null;
  /** Show the signed-in user and whom they follow instead. */
  readonly isFollowed: boolean;
  /** A user who was signed in was passed; hand in one from `useCallback`. */
  readonly overtaken: (userId: string, by: Overtaken) => void;
}

/** Follows a board for as long as it is shown, together with the signed-in user's own standing on it. */
export function useStandings({ board, limit, around, isFollowed, overtaken }: StandingsWish): BoardView & {
  readonly own: Standing | null;
} {
  const { leaderboard, period, partition } = board;
  const user = session.value?.user.id ?? null;
  const isOthers = around !== null || (isFollowed && user !== null);
  const lines = resourceOf(
    around !== null
      ? aroundQuery(board, around)
      : isFollowed && user !== null
        ? followedBoardQuery(board, user)
        : topQuery(board),
  );
  const own = user === null ? null : resourceOf(standingQuery(board, user));
  const last = useRef<{ page: Standings; before: Standings | null; of: unknown } | null>(null);

  // Before what is drawn with the board begins to ask.
  useLayoutEffect(() => own?.follow(), [own]);
  useLayoutEffect(() => lines.follow(), [lines]);

  useEffect(() => {
    const address = { leaderboard, period, partition };
    connection.value = period === 'current' ? 'waiting' : 'past';
    const reached = () => {
      // A contest stays the current period of its board when it is settled.
      if (period === 'current') connection.value = last.current?.page.period.state === 'settled' ? 'past' : 'live';
    };
    const show = (page: Standings) => {
      const { current } = last;
      last.current = { page, before: current?.of === lines ? current.page : null, of: lines };
      reached();
      lines.tell(page);
    };
    const fault = (error: ApiError) => {
      const { kind } = error;
      connection.value = kind === 'offline' || kind === 'away' ? kind : isPassing(error) ? 'waiting' : null;
      lines.fail(error);
    };
    const heard = () => {
      reached();
      lines.change((page) => page);
    };
    const ownLine = own && followOwnLine({ read: own.query.read, hear: own.tell });
    const stops: Stop[] = [];
    if (isOthers) stops.push(poll({ everyMs: aroundEveryMs, ask: lines.query.read, answer: show, fault }));
    stops.push(
      watchBoard(address, limit, {
        standings: (page) => {
          if (!isOthers) show(page);
          ownLine?.moved();
        },
        heard: () => !isOthers && heard(),
        ownPlace: (place) => (place ? ownLine?.told(place) : ownLine?.asked()),
        overtaken: (by) => user !== null && overtaken(user, by),
        fault: isOthers ? () => undefined : fault,
      }),
    );
    return () => {
      for (const stop of stops) stop();
      ownLine?.stop();
      connection.value = null;
    };
  }, [leaderboard, period, partition, limit, isOthers, user, overtaken, lines, own]);

  const { value: page, readAt, fault } = lines.known;
  const before = last.current?.of === lines ? last.current.before : null;
  return { page, readAt, fault, before, own: own?.known.value ?? null };
}
