import { formatMoment, formatNumber } from '../language/format';
import { messages } from '../language/language';
import { FollowToggle } from '../follows/follow-toggle';
import { Avatar } from '../ui/avatar';
import { Flash } from '../ui/flash';
import { TitleChip } from '../ui/title-chip';
import type { Entry } from '../ranks/ranks';
import { pathOf } from '../addresses/pages';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';
import styles from './entries.module.css';

/** How a line stands among the others. */
export interface EntryLineProps {
  readonly entry: Entry;
  /** 1, 2 and 3 stand on the podium. */
  readonly place: number;
  readonly isTied: boolean;
  readonly isOwn: boolean;
  readonly isFound: boolean;
  /** Points won or lost since the reading before. */
  readonly gained: number;
  /** Null: it cannot be known, or is one's own line. */
  readonly isFollowed: boolean | null;
  readonly follows: (userId: string, isOn: boolean) => void;
}

/** A user's line on a board. */
export function EntryLine(props: EntryLineProps) {
  const { entry, place, isTied, isOwn, isFound, gained, isFollowed, follows } = props;
  const { board, own, nobody } = messages.value;
  const name = entry.user?.name ?? nobody;
  return (
    <li
      class={styles.entry}
      data-key={entry.userId}
      data-user-id={entry.userId}
      data-place={place}
      data-tied={isTied || undefined}
      data-own={isOwn || undefined}
      data-found={isFound || undefined}
    >
      <span class={styles.rank} data-fact="rank">
        <span aria-hidden="true">{isTied ? `${formatNumber(entry.rank)}=` : formatNumber(entry.rank)}</span>
        <span class={ui.onlyHeard}>{isTied ? board.tiedRank(entry.rank) : board.rank(entry.rank)}</span>
      </span>
      <Avatar class={styles.portrait} name={name} url={entry.user?.avatarUrl} size={44} />
      <span class={styles.who}>
        <span class={styles.called}>
          <a class={classes(ui.name, styles.name)} href={pathOf('person', entry.userId)}>
            {name}
          </a>
          {isOwn && <span class={styles.you}>{own.you}</span>}
          <TitleChip class={styles.title} title={entry.title} />
        </span>
        <span class={styles.facts}>
          {entry.reachedAt !== null && (
            <time class={styles.reached} dateTime={entry.reachedAt} title={board.reachedMeans}>
              {board.reached(formatMoment(entry.reachedAt))}
            </time>
          )}
          <Places change={entry.change} />
          {entry.user?.text != null && (
            <span class={styles.says} dir="auto">
              {entry.user.text}
            </span>
          )}
        </span>
      </span>
      <span class={styles.points}>
        <span class={styles.score} data-fact="score">
          {formatNumber(entry.score)}
        </span>{' '}
        <span class={styles.unit}>{board.points(entry.score)}</span>
        {gained !== 0 && (
          <Flash class={styles.flash} key={`${entry.score}`} gained={gained}>
            {gained > 0 ? `+${gained}` : `−${-gained}`}
          </Flash>
        )}
      </span>
      {isFollowed !== null && entry.user && (
        <span class={styles.follow}>
          <FollowToggle
            person={{ id: entry.userId, name }}
            isOn={isFollowed}
            isSmall
            changed={(isOn) => follows(entry.userId, isOn)}
          />
        </span>
      )}
    </li>
  );
}

/** Places won or lost since the period before; nothing for a new entry or an unchanged place. */
export function Places({ change }: { change: number | null }) {
  if (change === null || change === 0) return null;
  const { placesUp, placesDown } = messages.value.board;
  const words = change > 0 ? placesUp(change) : placesDown(-change);
  return (
    <span class={styles.places} data-direction={change > 0 ? 'up' : 'down'} role="img" aria-label={words} title={words}>
      {change > 0 ? '▲' : '▼'} {formatNumber(Math.abs(change))}
    </span>
  );
}
