import { useEffect, useState } from 'preact/hooks';
import { now } from '../browser/clock';
import { formatMoment } from '../language/format';
import { messages } from '../language/language';
import { type Movement, movementsBetween } from './movements';
import type { Standings } from '../ranks/ranks';

const shown = 7;

interface Happened extends Movement {
  readonly at: string;
}

/** What just happened on the board that is shown. */
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
    <section class="card" aria-labelledby="movements-title">
      <h2 id="movements-title">{board.justNow}</h2>
      {happened.length === 0 && <p class="quiet">{board.justNowEmpty}</p>}
      <ol class="movements" id="movements">
        {happened.map(({ userId, user, points, rank, climbed, at }) => (
          <li key={`${userId} ${at}`}>
            <span class="amount" data-tone={points > 0 ? 'gain' : 'loss'}>
              {points > 0 ? `+${points}` : `−${-points}`}
            </span>
            <span class="name">{user?.name ?? nobody}</span>
            <span class="where">{(climbed > 0 ? board.upTo : climbed < 0 ? board.downTo : board.on)(rank)}</span>
            <time class="when" dateTime={at}>
              {formatMoment(at)}
            </time>
          </li>
        ))}
      </ol>
    </section>
  );
}
