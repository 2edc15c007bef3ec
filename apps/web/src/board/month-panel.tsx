import { formatNumber } from '../language/format';
import { messages } from '../language/language';
import { type Entry, topQuery } from '../ranks/ranks';
import { useResource } from '../resource/use-resource';
import { ownId } from '../session/session';
import { Avatar } from '../ui/avatar';
import { boardPath } from './board-path';
import { pathOf } from '../addresses/pages';
import ui from '../ui/pieces.module.css';
import styles from './month-panel.module.css';

const month = { leaderboard: 'month', period: 'current' };
const shown = 8;
/** The server has the page in its cache: the panel costs it no read of the leaderboard. */
const everyMs = 60_000;

/** The month's first eight, for the side of a page, with the way to the whole leaderboard. */
export function MonthPanel() {
  const { side, articles } = messages.value;
  const { value: page, fault } = useResource(topQuery(month, shown), { everyMs });
  // The page beside it goes on without: what was there stays, and it comes when it can be read.
  if (!page && fault) return null;
  return (
    <aside class={ui.side} aria-labelledby="month-title">
      <div class={ui.card} id="month">
        <h2 id="month-title">{side.month}</h2>
        {!page && <p class={ui.quiet}>{articles.loading}</p>}
        {page?.entries.length === 0 && <p class={ui.quiet}>{side.empty}</p>}
        <ol class={styles.leaders} aria-labelledby="month-title">
          {page?.entries.map((entry) => (
            <Leader key={entry.userId} entry={entry} />
          ))}
        </ol>
        <p>
          <a href={boardPath(month)}>{side.whole}</a>
        </p>
      </div>
    </aside>
  );
}

function Leader({ entry: { userId, rank, score, user } }: { entry: Entry }) {
  const { board, nobody } = messages.value;
  const name = user?.name ?? nobody;
  return (
    <li data-own={userId === ownId.value || undefined}>
      <span class={styles.place}>
        <span aria-hidden="true">{formatNumber(rank)}</span>
        <span class={ui.onlyHeard}>{board.rank(rank)}</span>
      </span>
      <Avatar name={name} url={user?.avatarUrl} size={32} />
      <span class={styles.who}>
        <a class={ui.name} dir="auto" href={pathOf('person', userId)}>
          {name}
        </a>
        {user?.text != null && (
          <span class={styles.says} dir="auto">
            {user.text}
          </span>
        )}
      </span>
      <span class={styles.points}>
        {formatNumber(score)} <span class={ui.onlyHeard}>{board.points(score)}</span>
      </span>
    </li>
  );
}
