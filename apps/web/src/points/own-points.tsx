import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { readStanding } from '../ranks/ranks';
import { formatNumber, formatSigned } from '../language/format';
import { messages } from '../language/language';
import { poll } from '../live/poll';
import { ownId } from '../session/session';

const everyMs = 5_000;
/** Points follow a click by some milliseconds, the standings by their cache: looked for at these times after it. */
const afterClickMs = [50, 700, 1_600];

const today = signal<{ readonly score: number; readonly gained: number } | null>(null);

/** Looks for the points that something just done may have given. */
export function expectPoints(): void {
  for (const ms of afterClickMs) setTimeout(() => void read().then(hear, () => undefined), ms);
}

async function read(signal?: AbortSignal): Promise<number | null> {
  const userId = ownId.value;
  if (userId === null) return null;
  return (await readStanding({ leaderboard: 'day', period: 'current' }, userId, signal)).entry.score;
}

function hear(score: number | null): void {
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
  useEffect(() => {
    if (userId === null) return undefined;
    return poll({ everyMs, ask: read, answer: hear, fault: () => undefined });
  }, [userId]);
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
