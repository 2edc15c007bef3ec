import { useEffect } from 'preact/hooks';
import { pathOf } from '../addresses/pages';
import type { Category } from '../language/categories';
import { messages } from '../language/language';
import { type BoardAddress, standingQuery } from '../ranks/ranks';
import { useResource } from '../resource/use-resource';
import { announce } from '../ui/announcer';
import { EntryList, LoadingList } from './entry-list';
import type { BoardView } from './use-standings';
import styles from './board-lines.module.css';

/** The lines of a board, or what stands there while there are none. */
export function BoardLines({
  view,
  board,
  category,
  around,
  isFollowed,
  search,
  limit,
}: {
  view: BoardView;
  board: BoardAddress;
  category: Category | undefined;
  around: string | null;
  isFollowed: boolean;
  search: string;
  limit: number;
}) {
  const { board: words } = messages.value;
  const { page, before, fault } = view;
  if (!page) return fault ? null : <LoadingList label={words.loading} />;
  if (page.entries.length === 0 && around !== null) return <NotOnBoard board={board} userId={around} />;
  if (page.entries.length === 0 && isFollowed) {
    return (
      <div class={styles.empty} data-nothing>
        <p>{words.emptyFollowed}</p>
      </div>
    );
  }
  const isPast = page.period.state !== 'open';
  if (page.entries.length === 0)
    return <EmptyBoard {...{ isPast, category }} isOfAuthors={board.leaderboard === 'authors'} />;
  return (
    <EntryList
      page={page}
      before={before}
      view={`${board.leaderboard} ${board.partition ?? ''} ${around ?? ''} ${isFollowed}`}
      hasPodium={around === null}
      found={around}
      search={search}
      label={words.title}
      limit={limit}
    />
  );
}

/** Shown in place of neighbours if the user is not on the board. */
function NotOnBoard({ board, userId }: { board: BoardAddress; userId: string }) {
  const { nobody } = messages.value;
  const { notOnIt, profileOf } = messages.value.board;
  const { value } = useResource(standingQuery(board, userId));
  const text = value && notOnIt(value.entry.user?.name ?? nobody);
  useEffect(() => {
    if (text !== null) announce(text, { isAnswer: true });
  }, [text]);
  if (text === null) return null;
  return (
    <div class={styles.empty} id="not-on-it">
      <p>{text}</p>
      <p>
        <a href={pathOf('person', userId)}>{profileOf}</a>
      </p>
    </div>
  );
}

function EmptyBoard({
  isPast,
  category,
  isOfAuthors,
}: {
  isPast: boolean;
  category: Category | undefined;
  isOfAuthors: boolean;
}) {
  const { board, categoryNames, category: ofCategory } = messages.value;
  const { emptyTitle, emptyPast } = board;
  const whole = isOfAuthors ? board.emptyAuthors : board.empty;
  const empty = category === undefined ? whole : ofCategory.empty(categoryNames[category]);
  return (
    <div class={styles.empty} data-nothing>
      <svg viewBox="0 0 64 64" aria-hidden="true">
        <path
          d="M12 56h40M18 56V36h9v20M27 56V26h10v30M37 56V42h9v14"
          fill="none"
          stroke="currentColor"
          stroke-width="2.4"
          stroke-linecap="round"
          stroke-linejoin="round"
        />
      </svg>
      {!isPast && <p class={styles.emptyTitle}>{emptyTitle}</p>}
      <p>{isPast ? emptyPast : empty}</p>
    </div>
  );
}
