import { useEffect, useState } from 'preact/hooks';
import { now } from '../clock';
import { type ApiError, asApiError, isPassing } from '../http/api-error';
import { poll } from '../live/poll';
import type { Overtaken, Stop } from '../live/watch';
import { watchBoard } from '../live/watch-board';
import { session } from '../session/session';
import { connection } from '../shell/connection';
import { type BoardAddress, readAround, readStanding, type Standing, type Standings } from './ranks';

const aroundEveryMs = 2_000;
const ownAtMostEveryMs = 700;

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
  /** The signed-in user was passed; hand in one from `useCallback`. */
  readonly overtaken: (by: Overtaken) => void;
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
      connection.value = error.kind === 'offline' ? 'offline' : isPassing(error) ? 'away' : null;
      setView((last) => ({ view: { ...(last.of === shown ? last.view : nothing), fault: error }, of: shown }));
    };
    const heard = () => {
      connection.value = 'live';
      setView((last) => ({ ...last, view: { ...last.view, fault: null } }));
    };
    const ownLine = user === null ? null : ownLineReader(address, user, (standing) => setOwn({ standing, of: ownIs }));
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
          ownLine?.soon();
        },
        heard: () => around === null && heard(),
        ownLineChanged: () => ownLine?.soon(),
        overtaken,
        fault: around === null ? fault : () => undefined,
      }),
    );
    return () => {
      for (const stop of stops) stop();
      ownLine?.stop();
      connection.value = null;
    };
  }, [leaderboard, period, partition, limit, around, user, overtaken, shown, ownIs]);

  return { ...(of === shown ? view : nothing), own: own?.of === ownIs ? own.standing : null };
}

/** Reads a user's own standing when told that it may have changed: at once, then at most so often. */
function ownLineReader(board: BoardAddress, userId: string, hear: (standing: Standing) => void) {
  const abort = new AbortController();
  let isResting = false;
  let isWanted = false;

  async function read(): Promise<void> {
    isResting = true;
    isWanted = false;
    try {
      const standing = await readStanding(board, userId, abort.signal);
      if (!abort.signal.aborted) hear(standing);
    } catch (error) {
      // The board itself says what is wrong, and its next change asks again.
      if (!abort.signal.aborted) console.debug(asApiError(error).message);
    }
    setTimeout(() => {
      isResting = false;
      if (isWanted && !abort.signal.aborted) void read();
    }, ownAtMostEveryMs);
  }

  return {
    soon() {
      if (isResting) isWanted = true;
      else void read();
    },
    stop: () => abort.abort(),
  };
}
