import { scaleQuantize } from 'd3-scale';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { formatDayLong, formatMonthShort, formatNumber, formatWeekday } from '../language/format';
import { messages } from '../language/language';
import { Scroller } from '../ui/card-table';
import { type DayOfPoints, weekdayOf } from './days';
import ui from '../ui/pieces.module.css';
import chart from '../ui/chart.module.css';
import styles from './heat-map.module.css';

const cell = 12;
const step = cell + 2;
const left = 34;
const top = 18;
const levels = [1, 2, 3, 4] as const;

/** The calendar of a year, each day the greener the more points it brought. */
export function HeatMap({
  days,
  chosen,
  choose,
}: {
  days: readonly DayOfPoints[];
  chosen: string | null;
  choose: ((date: string) => void) | null;
}) {
  const { person, board } = messages.value;
  const scroller = useRef<HTMLDivElement>(null);
  // Where the year is wider than the card its latest days are looked at first.
  useLayoutEffect(() => scroller.current?.scrollTo({ left: scroller.current.scrollWidth }), []);
  const most = Math.max(1, ...days.map(({ points }) => points));
  const levelOf = scaleQuantize<number>([0, most], levels);
  const first = days[0] ? weekdayOf(days[0].date) : 0;
  const weeks = Math.ceil((first + days.length) / 7);
  const active = days.filter(({ points }) => points > 0).length;
  const placed = days.map((day, index) => ({
    ...day,
    week: Math.floor((first + index) / 7),
    weekday: (first + index) % 7,
  }));
  const months = placed.filter(
    ({ date, weekday }) =>
      date.endsWith('-01') || (weekday === 0 && Number(date.slice(8)) <= 7 && Number(date.slice(8)) > 1),
  );
  const named = months.filter(
    (day, index) => months.findIndex(({ date }) => date.slice(0, 7) === day.date.slice(0, 7)) === index,
  );
  return (
    <section class={ui.card} aria-labelledby="calendar-title">
      <h2 id="calendar-title">{person.calendar}</h2>
      <Scroller name="calendar" place={scroller}>
        <svg
          width={left + weeks * step}
          height={top + 7 * step}
          role="img"
          aria-label={person.activeDays(active, days.length)}
        >
          {[0, 2, 4].map((weekday) => (
            <text key={weekday} class={chart.label} x={0} y={top + weekday * step + cell - 2}>
              {formatWeekday(weekday)}
            </text>
          ))}
          {named.map(({ date, week }) => (
            <text key={date} class={chart.label} x={left + week * step} y={11}>
              {formatMonthShort(date)}
            </text>
          ))}
          {placed.map(({ date, points, week, weekday }) => (
            <rect
              key={date}
              class={styles.day}
              data-level={points <= 0 ? 0 : levelOf(points)}
              data-date={date}
              data-chosen={date === chosen || undefined}
              x={left + week * step}
              y={top + weekday * step}
              width={cell}
              height={cell}
              rx={3}
              onClick={choose ? () => choose(date) : undefined}
            >
              <title>{`${formatDayLong(date)}: ${formatNumber(points)} ${board.points(points)}`}</title>
            </rect>
          ))}
        </svg>
      </Scroller>
      <p class={ui.quiet}>{person.activeDays(active, days.length)}</p>
    </section>
  );
}
