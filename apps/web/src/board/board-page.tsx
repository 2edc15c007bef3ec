import { useLocation } from 'preact-iso';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isPassing } from '../http/api-error';
import { formatTime } from '../language/format';
import type { Category } from '../language/categories';
import { messages } from '../language/language';
import type { Overtaken } from '../live/watch';
import { useResource } from '../resource/use-resource';
import { ownId, session } from '../session/session';
import { announce } from '../ui/announcer';
import { CategoryChoice } from '../ui/category-choice';
import { Icon } from '../ui/icon';
import { usePageTitle } from '../ui/use-page-title';
import { addressOf, boardPath, categoryOn, cutByCategory, type ShownBoard, wholeBoard } from './board-path';
import { EntryList, LoadingList } from './entry-list';
import { FindPerson } from './find-person';
import { JustNow } from './just-now';
import { type Passed, relevanceOf } from './overtaken';
import { OwnLine } from './own-line';
import { PeriodBar } from './period-bar';
import { PointsCard } from './points-card';
import { firstBoard, usualBoards } from '../ranks/boards';
import { type BoardAddress, standingAsked } from '../ranks/ranks';
import { useLeaderboards } from './use-leaderboards';
import { type BoardView, useStandings } from './use-standings';
import { pathOf } from '../addresses/pages';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';
import styles from './board-page.module.css';

/**
 * How many lines are shown; one more is read, if possible, to know whether the last is tied. The server returns at most
 * 100.
 */
const limits = [20, 60, 99] as const;

/** A leaderboard, in one of its periods. */
export function BoardPage({ leaderboard: name = firstBoard }: { leaderboard?: string }) {
  const leaderboard = wholeBoard(name);
  const { query, route } = useLocation();
  const [step, setStep] = useState(0);
  const limit = limits[step] ?? limits[0];
  const [searches, setSearches] = useState(0);
  const [passed, setPassed] = useState<Passed | null>(null);
  const { board: words, categoryNames } = messages.value;
  const category = categoryOn(leaderboard, query.category);
  const board = addressOf({ leaderboard, period: query.period ?? 'current', category });
  const around = query.around ?? null;
  const overtaken = useCallback((userId: string, by: Overtaken) => setPassed({ ...by, userId }), []);
  const { own, ...view } = useStandings({ board, limit: limit + 1, around, overtaken });
  const relevance = passed && relevanceOf(passed, { userId: ownId.value, board, page: view.page, own });
  useEffect(() => {
    if (relevance === 'over') setPassed(null);
  }, [relevance]);
  const current = board.period === 'current' ? view.page?.period.key : undefined;
  const leaderboards = useLeaderboards({ name: leaderboard, current });
  const config = leaderboards?.find(({ name }) => name === leaderboard) ?? null;
  const isKnown = !leaderboards || config !== null;
  const isPast = board.period !== 'current' || view.page?.period.state === 'settled';
  const title = words.names[leaderboard] ?? leaderboard;
  usePageTitle(category === undefined ? title : `${title} · ${categoryNames[category]}`);
  useSpokenLeader(view);

  const go = (to: Omit<ShownBoard, 'leaderboard'>) =>
    route(boardPath({ leaderboard, period: board.period, category, ...to }));
  const lookFor = (userId: string) => {
    setSearches((before) => before + 1);
    go({ around: userId });
  };
  const names = leaderboards?.filter(({ partition }) => partition === undefined).map(({ name }) => name) ?? usualBoards;
  const tabs = useRef<HTMLElement>(null);
  // Where they are wider than the window the one that is shown is in sight.
  useLayoutEffect(() => {
    const here = tabs.current?.querySelector('[aria-current]')?.getBoundingClientRect();
    const all = tabs.current?.getBoundingClientRect();
    if (here && all) tabs.current?.scrollBy({ left: here.left + here.width / 2 - all.left - all.width / 2 });
  }, [leaderboard, names.length]);
  const pathTo = (chosen: ShownBoard['category']) => {
    const name = chosen === undefined ? leaderboard : cutByCategory(leaderboard);
    return boardPath({ leaderboard: name, category: chosen, ...(name === leaderboard && { period: board.period }) });
  };

  return (
    <div class={ui.beside}>
      <div class={classes(ui.card, styles.stage)}>
        <nav class={styles.tabs} aria-label={words.kinds} ref={tabs}>
          {names.map((name) => (
            <a
              key={name}
              href={boardPath({ leaderboard: name, category: categoryOn(name, category) })}
              aria-current={name === leaderboard ? 'page' : undefined}
            >
              {words.names[name] ?? name}
            </a>
          ))}
        </nav>
        <PeriodBar
          leaderboard={config}
          page={view.page}
          asked={board.period}
          isRefused={isNotThere(view)}
          go={(period) => go({ period })}
        />
        {isKnown && !isNotThere(view) && (
          <>
            <CategoryChoice chosen={category} pathTo={pathTo} />
            <FindPerson board={board} found={({ id }) => lookFor(id)} />
          </>
        )}
        <OvertakenNotice passed={relevance === 'here' ? passed : null} dismiss={() => setPassed(null)} />
        <BoardFault view={view} isKnown={isKnown} />
        <section
          class={classes(styles.standings, view.fault && view.page ? styles.stale : undefined)}
          aria-labelledby="period"
        >
          <BoardLines {...{ view, board, category, around, limit }} search={`${board.period} ${searches}`} />
        </section>
        {around !== null ? (
          <button type="button" class={ui.more} onClick={() => go({})}>
            <Icon name="up" /> {words.wholeTop}
          </button>
        ) : (
          view.page &&
          limit < view.page.total &&
          step < limits.length - 1 && (
            <button type="button" class={ui.more} onClick={() => setStep(step + 1)}>
              {words.more}
            </button>
          )
        )}
        <OwnLine own={own} isPast={isPast} category={category} around={() => lookFor(session.value?.user.id ?? '')} />
      </div>
      <aside class={ui.side}>
        {!isPast && around === null && !isNotThere(view) && <JustNow page={view.page} before={view.before} />}
        <PointsCard />
      </aside>
    </div>
  );
}

function BoardLines({
  view,
  board,
  category,
  around,
  search,
  limit,
}: {
  view: BoardView;
  board: BoardAddress;
  category: Category | undefined;
  around: string | null;
  search: string;
  limit: number;
}) {
  const { board: words } = messages.value;
  const { page, before, fault } = view;
  if (!page) return fault ? null : <LoadingList label={words.loading} />;
  if (page.entries.length === 0 && around !== null) return <NotOnBoard board={board} userId={around} />;
  if (page.entries.length === 0) return <EmptyBoard isPast={page.period.state !== 'open'} category={category} />;
  return (
    <EntryList
      page={page}
      before={before}
      view={`${board.leaderboard} ${board.partition ?? ''} ${around ?? ''}`}
      hasPodium={around === null}
      found={around}
      search={search}
      label={words.title}
      limit={limit}
    />
  );
}

/** What stands there where somebody is looked for who is not on the board. */
function NotOnBoard({ board, userId }: { board: BoardAddress; userId: string }) {
  const { nobody } = messages.value;
  const { notOnIt, profileOf } = messages.value.board;
  const { value } = useResource(standingAsked(board, userId));
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

function EmptyBoard({ isPast, category }: { isPast: boolean; category: Category | undefined }) {
  const { board, categoryNames, category: ofCategory } = messages.value;
  const { emptyTitle, emptyPast } = board;
  const empty = category === undefined ? board.empty : ofCategory.empty(categoryNames[category]);
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

/** What was there stays, and is said to be old. */
function BoardFault({ view, isKnown }: { view: BoardView; isKnown: boolean }) {
  const { fault, readAt } = view;
  if (!fault) return null;
  const { fault: words, board } = messages.value;
  return (
    <p class={ui.notice} role="alert" id="notice">
      {isNotThere(view) ? (isKnown ? board.noPeriod : board.noBoard) : words[fault.kind]}{' '}
      {isPassing(fault) && words.keepsTrying} {readAt && words.shownOf(formatTime(readAt))}
    </p>
  );
}

/** Whether the server has no such board or no such period. */
function isNotThere({ fault }: BoardView): boolean {
  return fault?.kind === 'notFound' || fault?.kind === 'refused';
}

function OvertakenNotice({ passed, dismiss }: { passed: Passed | null; dismiss: () => void }) {
  const { board } = messages.value;
  const name = passed?.by?.user?.name;
  const text = passed && (name === undefined ? board.overtaken(passed.rank) : board.overtakenBy(name, passed.rank));
  useEffect(() => {
    if (text !== null) announce(text);
  }, [text]);
  if (text === null) return null;
  return (
    <p class={classes(ui.appearing, styles.overtaken)} id="overtaken">
      <span>{text}</span>
      <button type="button" class={ui.iconButton} aria-label={board.dismiss} onClick={dismiss}>
        <Icon name="close" />
      </button>
    </p>
  );
}

/** Readers by ear hear of a new leader, not of every point. */
function useSpokenLeader({ page, before }: BoardView): void {
  const [was, is] = [before?.entries[0], page?.entries[0]];
  // Around somebody the first line may be of any rank.
  const isNew = was?.rank === 1 && is?.rank === 1 && was.userId !== is.userId;
  useEffect(() => {
    if (!isNew) return;
    const { board, nobody } = messages.value;
    announce(board.leads(is.user?.name ?? nobody, is.score));
  }, [isNew, is]);
}
