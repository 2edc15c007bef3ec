import { useLocation } from 'preact-iso';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { messages } from '../language/language';
import type { Overtaken } from '../live/watch';
import { ownId, session } from '../session/session';
import { CategoryChoice } from '../ui/category-choice';
import { Icon } from '../ui/icon';
import { usePageTitle } from '../ui/use-page-title';
import { BoardLines } from './board-lines';
import { BoardFault, isNotThere, OvertakenNotice } from './board-notices';
import { addressOf, boardPath, categoryOn, cutByCategory, type ShownBoard, wholeBoard } from './board-path';
import { BoardTabs } from './board-tabs';
import { FindPerson } from './find-person';
import { JustNow } from './just-now';
import { type Passed, relevanceOf } from './overtaken';
import { OwnLine } from './own-line';
import { PeriodBar } from './period-bar';
import { PointsCard } from './points-card';
import { firstBoard, usualBoards } from '../ranks/boards';
import { useLeaderboards } from './use-leaderboards';
import { useSpokenLeader } from './use-spoken-leader';
import { useStandings } from './use-standings';
import { classes } from '../ui/classes';
import choice from '../ui/choice.module.css';
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
  const isFollowed = query.who === 'followed' && ownId.value !== null && around === null;
  const overtaken = useCallback((userId: string, by: Overtaken) => setPassed({ ...by, userId }), []);
  const { own, ...view } = useStandings({ board, limit: limit + 1, around, isFollowed, overtaken });
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
    route(boardPath({ leaderboard, period: board.period, category, isFollowed, ...to }));
  const lookFor = (userId: string) => {
    setSearches((before) => before + 1);
    go({ around: userId });
  };
  const names = leaderboards?.filter(({ partition }) => partition === undefined).map(({ name }) => name) ?? usualBoards;
  const pathTo = (chosen: ShownBoard['category']) => {
    const name = chosen === undefined ? leaderboard : cutByCategory(leaderboard);
    return boardPath({
      leaderboard: name,
      category: chosen,
      isFollowed,
      ...(name === leaderboard && { period: board.period }),
    });
  };

  return (
    <div class={ui.beside}>
      <div class={classes(ui.card, styles.stage)}>
        <BoardTabs names={names} shown={leaderboard} category={category} />
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
            {ownId.value !== null && (
              <nav class={choice.choice} aria-label={words.who}>
                {[false, true].map((one) => (
                  <a
                    key={String(one)}
                    href={boardPath({ leaderboard, period: board.period, category, isFollowed: one })}
                    aria-current={one === isFollowed ? 'true' : undefined}
                  >
                    {one ? words.followed : words.everyone}
                  </a>
                ))}
              </nav>
            )}
            <FindPerson board={board} found={({ id }) => lookFor(id)} />
          </>
        )}
        <OvertakenNotice passed={relevance === 'here' ? passed : null} dismiss={() => setPassed(null)} />
        <BoardFault view={view} isKnown={isKnown} />
        <section
          class={classes(styles.standings, view.fault && view.page ? styles.stale : undefined)}
          aria-labelledby="period"
        >
          <BoardLines
            {...{ view, board, category, around, isFollowed, limit }}
            search={`${board.period} ${searches}`}
          />
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
