import { useMemo, useRef } from 'preact/hooks';
import { followedQuery } from '../follows/follows';
import { useResource } from '../resource/use-resource';
import { session } from '../session/session';
import { EntryLine } from './entry-line';
import type { Standings } from '../ranks/ranks';
import { useFoundInSight } from './use-found-in-sight';
import { useGlide } from './use-glide';
import { useKeptFocus } from './use-kept-focus';
import { classes } from '../ui/classes';
import styles from './entries.module.css';

/** The properties of the list. */
export interface EntryListProps {
  readonly page: Standings;
  readonly before: Standings | null;
  /** The view: lines glide within one view, not from one to another. */
  readonly view: string;
  readonly hasPodium: boolean;
  readonly found: string | null;
  /** The search that `found` is of: each scrolls the person into sight once. */
  readonly search: string;
  readonly label: string;
  /** How many lines; what `page` has beyond them only tells whether the last one is tied. */
  readonly limit: number;
}

/** The lines of a board, which glide when ranks change. */
export function EntryList({ page, before, view, hasPodium, found, search, label, limit }: EntryListProps) {
  const list = useRef<HTMLOListElement>(null);
  useGlide(list, `${view} ${page.period.key}`);
  useKeptFocus(list);
  const { entries } = page;
  useFoundInSight(
    list,
    entries.find(({ userId }) => userId === found),
    `${view} ${search}`,
  );
  const scores = useMemo(() => new Map(before?.entries.map(({ userId, score }) => [userId, score])), [before]);
  const isSamePeriod = before?.period.key === page.period.key;
  const ownId = session.value?.user.id;
  const { value: followed, change } = useResource(ownId === undefined ? null : followedQuery());
  const follows = (userId: string, isOn: boolean) =>
    change(({ userIds }) => ({ userIds: isOn ? [userId, ...userIds] : userIds.filter((id) => id !== userId) }));
  return (
    <ol class={styles.board} ref={list} aria-label={label}>
      {entries.slice(0, limit).map((entry, index) => {
        const old = isSamePeriod ? scores.get(entry.userId) : undefined;
        return (
          <EntryLine
            key={entry.userId}
            entry={entry}
            place={hasPodium ? index + 1 : 0}
            isTied={entries[index - 1]?.rank === entry.rank || entries[index + 1]?.rank === entry.rank}
            isOwn={entry.userId === ownId}
            isFound={entry.userId === found}
            gained={old === undefined ? 0 : entry.score - old}
            isFollowed={followed && entry.userId !== ownId ? followed.userIds.includes(entry.userId) : null}
            follows={follows}
          />
        );
      })}
    </ol>
  );
}

/** Grey lines while there is nothing to show yet. */
export function LoadingList({ label }: { label: string }) {
  return (
    <div class={classes(styles.board, styles.loading)} role="status" aria-label={label}>
      {Array.from({ length: 9 }, (_, index) => (
        <div key={index} class={styles.entry} data-place={index + 1} />
      ))}
    </div>
  );
}
