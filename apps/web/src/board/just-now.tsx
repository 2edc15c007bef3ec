import { useEffect, useState } from 'preact/hooks';
import { now } from '../browser/clock';
import { formatMoment } from '../language/format';
import { messages } from '../language/language';
import { type Movement, movementsBetween } from './movements';
import type { Standings } from '../ranks/ranks';
import ui from '../ui/pieces.module.css';
import styles from './just-now.module.css';

const shown = 7;

interface Happened extends Movement {
  readonly at: string;
}

/** The latest changes of the shown board. */
export function JustNow({ page, before }: { page: Standings | null; before: Standings | null }) {
  const [happened, setHappened] = useState<readonly Happened[]>([]);
  useEffect(() => {
    if (!page || !before) {
      setHappened([]);
      return;
    }
    const at = now().toISOString();
    const fresh = movementsBetween(before, page).map((movement) => ({ ...movement, at }));
    if (fresh.length > 0) setHappened((old) => [...fresh, ...old].slice(0, shown));
  }, [page, before]);
  const { board, nobody } = messages.value;
  return (
    <section class={ui.card} aria-labelledby="movements-title">
      <h2 id="movements-title">{board.justNow}</h2>
      {happened.length === 0 && <p class={ui.quiet}>{board.justNowEmpty}</p>}
      <ol class={styles.movements} id="movements">
        {happened.map(({ userId, user, points, rank, climbed, at }) => (
          <li class={ui.appearing} key={`${userId} ${at}`}>
            <span class={styles.amount} data-tone={points > 0 ? 'gain' : 'loss'}>
              {points > 0 ? `+${points}` : `−${-points}`}
            </span>
            <span class={ui.name}>{user?.name ?? nobody}</span>
            <span class={styles.where}>{(climbed > 0 ? board.upTo : climbed < 0 ? board.downTo : board.on)(rank)}</span>
            <time class={styles.when} dateTime={at}>
              {formatMoment(at)}
            </time>
          </li>
        ))}
      </ol>
    </section>
  );
}
