import { scaleQuantize } from 'd3-scale';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatDayLong, formatMonthShort, formatNumber, formatWeekday } from '../language/format';
import { messages } from '../language/language';
import { CardTable, Scroller } from '../ui/card-table';
import { type DayOfPoints, weekdayOf } from './days';
import ui from '../ui/pieces.module.css';
import chart from '../ui/chart.module.css';
import styles from './heat-map.module.css';

const cell = 12;
const pitch = cell + 2;
const left = 34;
const top = 18;
const levels = [1, 2, 3, 4] as const;

/** By how many days each key goes on: columns are weeks. */
const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -7, ArrowRight: 7 };

/** The calendar of a year, each day the greener the more points it brought; the same as a table. */
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
  const [looked, setLooked] = useState<number | null>(null);
  const [isTable, setIsTable] = useState(false);
  // Where the year is wider than the card its latest days are looked at first.
  useLayoutEffect(() => scroller.current?.scrollTo({ left: scroller.current.scrollWidth }), []);
  const most = Math.max(1, ...days.map(({ points }) => points));
  const levelOf = scaleQuantize<number>([0, most], levels);
  const first = days[0] ? weekdayOf(days[0].date) : 0;
  const weeks = Math.ceil((first + days.length) / 7);
  const active = days.filter(({ points }) => points > 0);
  const told = ({ date, points }: DayOfPoints) =>
    `${formatDayLong(date)}: ${formatNumber(points)} ${board.points(points)}`;
  const last = days.length - 1;
  const chosenPlace = days.findIndex(({ date }) => date === chosen);
  const place = looked ?? (chosenPlace < 0 ? last : chosenPlace);
  const lookedAt = looked === null ? undefined : days[looked];
  const step = (event: KeyboardEvent & { readonly currentTarget: SVGSVGElement }) => {
    const by = steps[event.key];
    const isChoice = choose !== null && event.key === 'Enter';
    if (by === undefined && !isChoice) return;
    event.preventDefault();
    if (by === undefined) return choose?.(days[place]?.date ?? '');
    const to = Math.min(last, Math.max(0, place + by));
    setLooked(to);
    event.currentTarget.querySelectorAll('rect')[to]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
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
          width={left + weeks * pitch}
          height={top + 7 * pitch}
          class={styles.map}
          tabIndex={0}
          role="slider"
          aria-label={person.calendar}
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={place}
          aria-valuetext={days[place] && told(days[place])}
          onKeyDown={step}
          onFocus={() => setLooked(place)}
          onBlur={() => setLooked(null)}
        >
          {[0, 2, 4].map((weekday) => (
            <text key={weekday} class={chart.label} x={0} y={top + weekday * pitch + cell - 2}>
              {formatWeekday(weekday)}
            </text>
          ))}
          {named.map(({ date, week }) => (
            <text key={date} class={chart.label} x={left + week * pitch} y={11}>
              {formatMonthShort(date)}
            </text>
          ))}
          {placed.map(({ date, points, week, weekday }, index) => (
            <rect
              key={date}
              class={styles.day}
              data-level={points <= 0 ? 0 : levelOf(points)}
              data-date={date}
              data-chosen={date === chosen || undefined}
              data-looked={index === looked || undefined}
              x={left + week * pitch}
              y={top + weekday * pitch}
              width={cell}
              height={cell}
              rx={3}
              onClick={choose ? () => choose(date) : undefined}
            >
              <title>{told({ date, points })}</title>
            </rect>
          ))}
        </svg>
      </Scroller>
      <p class={ui.quiet}>{lookedAt ? told(lookedAt) : person.activeDays(active.length, days.length)}</p>
      <details onToggle={({ currentTarget: { open } }) => setIsTable(open)}>
        <summary class={ui.quiet}>{person.asTable}</summary>
        {isTable && (
          <CardTable name="calendar" heads={[person.pickDay, person.points]}>
            {[...active].reverse().map(({ date, points }) => (
              <tr key={date}>
                <th scope="row">{formatDayLong(date)}</th>
                <td>{formatNumber(points)}</td>
              </tr>
            ))}
          </CardTable>
        )}
      </details>
    </section>
  );
}
