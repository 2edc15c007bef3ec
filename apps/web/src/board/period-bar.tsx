import { formatDayShort, formatPeriod, formatRemaining, formatTimeIn, zoneName } from '../language/format';
import { messages } from '../language/language';
import { DayField } from '../ui/day-field';
import { Icon } from '../ui/icon';
import { useEachMinute } from '../ui/use-each-minute';
import { type Leaderboard, spanOf, type Standings } from '../ranks/ranks';
import { dayIn, keyOfDay, steppedKey } from './period-keys';
import ui from '../ui/pieces.module.css';
import styles from './period-bar.module.css';

/** The properties of the bar. */
export interface PeriodBarProps {
  readonly leaderboard: Leaderboard | null;
  readonly page: Standings | null;
  /** The period in the address: `current`, `previous`, a key or a span of days. */
  readonly asked: string;
  /** Whether the server has no such board or period. */
  readonly isRefused: boolean;
  go: (period: string) => void;
}

/** Which period is shown, its state, and the ways to others: a step, or days on the calendar. */
export function PeriodBar({ leaderboard, page, asked, isRefused, go }: PeriodBarProps) {
  const { period: words, board } = messages.value;
  useEachMinute();
  // The page knows the current period later than the list of leaderboards does.
  const current = (asked === 'current' ? page?.period.key : undefined) ?? leaderboard?.current.key;
  const key = asked === 'current' ? current : asked === 'previous' ? page?.period.key : asked;
  const goTo = (to: string) => go(to === current ? 'current' : to);
  const steps = key !== undefined && steppedKey(key, -1) !== null;
  const span = spanOf(asked);
  // Of days one may see several as one ranking: those from one to the one that is shown.
  const days = span ?? (steps && leaderboard?.kind === 'day' ? { from: key, to: key } : null);
  const goToDays = (from: string, to: string) => (from < to ? go(`${from}..${to}`) : goTo(to));
  // An address may name a period that there cannot be, or a board that there is not.
  const isMissing = isRefused && (leaderboard === null || !steps);
  const fallback = isMissing ? board.title : '\u00a0';
  const isCurrent = asked === 'current' || key === current;
  return (
    <div class={styles.bar}>
      <div class={styles.steps}>
        {steps && (
          <button
            type="button"
            class={ui.iconButton}
            aria-label={words.earlier}
            title={words.earlier}
            onClick={() => goTo(steppedKey(key, -1) ?? 'current')}
          >
            <Icon name="left" />
          </button>
        )}
        <h1 id="period">{isMissing || key === undefined ? fallback : formatPeriod(key)}</h1>
        {steps && (
          <button
            type="button"
            class={ui.iconButton}
            aria-label={words.later}
            title={words.later}
            disabled={isCurrent}
            onClick={() => goTo(steppedKey(key, 1) ?? 'current')}
          >
            <Icon name="right" />
          </button>
        )}
      </div>
      <p class={styles.facts}>
        {page && (
          <>
            <span class={styles.state} id="state" data-state={page.period.state}>
              {words.states[page.period.state]}
            </span>
            {page.period.state === 'open' && page.period.end !== null && (
              <span id="remaining">{formatRemaining(page.period.end)}</span>
            )}
            <span id="total">{board.people(page.total)}</span>
          </>
        )}
        {(steps || span) && current !== undefined && (
          <span class={styles.days}>
            {days && (
              <DayField
                label={words.since}
                text={span ? formatDayShort(span.from) : `${words.since} …`}
                latest={days.to}
                value={days.from}
                choose={(day) => goToDays(day, days.to)}
              />
            )}
            <DayField
              label={span ? words.until : words.pick}
              {...(span && { text: `– ${formatDayShort(span.to)}` })}
              latest={dayIn(current, 'last')}
              value={span?.to ?? dayIn(key ?? current, 'first')}
              choose={(day) => {
                if (span) return goToDays(span.from, day);
                const to = keyOfDay(key ?? current, day);
                if (to !== null && to !== key) goTo(to);
              }}
            />
          </span>
        )}
        {!isCurrent && (
          <button type="button" class={ui.linkButton} onClick={() => go('current')}>
            {words.now}
          </button>
        )}
      </p>
      {isElsewhere(leaderboard) && (
        <p class={styles.zone} id="zone">
          {words.zone(zoneName(leaderboard.timezone), formatTimeIn(leaderboard.timezone))}
        </p>
      )}
    </div>
  );
}

/** Whether days begin at other moments than the reader's. */
function isElsewhere(leaderboard: Leaderboard | null): leaderboard is Leaderboard {
  return leaderboard !== null && formatTimeIn(leaderboard.timezone) !== formatTimeIn(undefined);
}
