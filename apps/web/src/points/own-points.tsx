import { useRef } from 'preact/hooks';
import { firstBoard } from '../ranks/boards';
import { standingQuery } from '../ranks/ranks';
import { formatNumber, formatSigned } from '../language/format';
import { messages } from '../language/language';
import { resourceOf } from '../resource/resource';
import { useResource } from '../resource/use-resource';
import { ownId } from '../session/session';
import { Flash } from '../ui/flash';
import styles from './own-points.module.css';

/** Where no stream tells the user's own standing. */
const everyMs = 5_000;
/** Points follow a click by some milliseconds, the standings by their cache: looked for at these times after it. */
const afterClickMs = [50, 700, 1_600];

function todayQuery(userId: string) {
  return standingQuery({ leaderboard: firstBoard, period: 'current' }, userId);
}

/** Looks for the points that something just done may have given. */
export function expectPoints(): void {
  for (const ms of afterClickMs)
    setTimeout(() => ownId.value !== null && resourceOf(todayQuery(ownId.value)).again(), ms);
}

/** The signed-in user's points of today, announced when they change. */
export function OwnPoints() {
  const userId = ownId.value;
  const standing = useResource(userId === null ? null : todayQuery(userId), { everyMs }).value;
  const score = standing?.entry.score;
  const last = useRef<{ userId: string | null; day: string; score: number; gained: number } | null>(null);
  const day = standing?.period.key ?? last.current?.day ?? '';
  // Another user's points, or another day's, are no gain.
  if (last.current?.userId !== userId || last.current?.day !== day) last.current = null;
  if (score !== undefined && last.current?.score !== score) {
    last.current = { userId, day, score, gained: last.current ? score - last.current.score : 0 };
  }
  const shown = last.current;
  if (userId === null || !shown) return null;
  const { board, own } = messages.value;
  return (
    <span class={styles.points} id="own-today">
      {own.today(`${formatNumber(shown.score)} ${board.points(shown.score)}`)}
      {shown.gained !== 0 && (
        <Flash key={shown.score} gained={shown.gained}>
          {formatSigned(shown.gained)}
        </Flash>
      )}
    </span>
  );
}
