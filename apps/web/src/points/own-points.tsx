import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { readStanding } from '../ranks/ranks';
import { formatNumber, formatSigned } from '../language/format';
import { messages } from '../language/language';
import { poll } from '../live/poll';
import type { Stop } from '../live/watch';
import { ownId } from '../session/session';

const everyMs = 5_000;
/** Points follow a click by some milliseconds, the standings by their cache: looked for at these times after it. */
const afterClickMs = [50, 700, 1_600];

/** How many of the boards that are shown follow the points of today: nothing is asked beside their streams. */
const followers = signal(0);

const today = signal<{ readonly score: number; readonly gained: number } | null>(null);

/** The points of today are heard of by {@link hearToday} until this is stopped. */
export function followToday(): Stop {
  followers.value += 1;
  return () => {
    followers.value -= 1;
  };
}

/** Looks for the points that something just done may have given. */
export function expectPoints(): void {
  for (const ms of afterClickMs) setTimeout(() => void read().then(hearToday, () => undefined), ms);
}

async function read(signal?: AbortSignal): Promise<number | null> {
  const userId = ownId.value;
  if (userId === null) return null;
  return (await readStanding({ leaderboard: 'day', period: 'current' }, userId, signal)).entry.score;
}

/** Shows what the signed-in user has today; null: nobody is signed in. */
export function hearToday(score: number | null): void {
  const before = today.value;
  if (score === null) today.value = null;
  else if (before?.score !== score) today.value = { score, gained: before ? score - before.score : 0 };
}

// Another user's points are no gain.
ownId.subscribe(() => {
  today.value = null;
});

/** What the signed-in user has today; it says so when that changes. */
export function OwnPoints() {
  const userId = ownId.value;
  const isFollowed = followers.value > 0;
  useEffect(() => {
    // A board that came with this may follow them since it was drawn.
    if (userId === null || isFollowed || followers.peek() > 0) return undefined;
    return poll({ everyMs, ask: read, answer: hearToday, fault: () => undefined });
  }, [userId, isFollowed]);
  const shown = today.value;
  if (userId === null || !shown) return null;
  const { board, own } = messages.value;
  return (
    <span class="own-points" id="own-today">
      {own.today(`${formatNumber(shown.score)} ${board.points(shown.score)}`)}
      {shown.gained !== 0 && (
        <span key={shown.score} class="flash" data-tone={shown.gained > 0 ? 'gain' : 'loss'} aria-hidden="true">
          {formatSigned(shown.gained)}
        </span>
      )}
    </span>
  );
}
