import { scaleBand, scaleLinear } from 'd3-scale';
import { useRef, useState } from 'preact/hooks';
import { formatDayLong, formatDayShort, formatNumber } from '../language/format';
import { messages } from '../language/language';
import { CardHead } from '../ui/card-head';
import { ValueAxis } from '../ui/value-axis';
import type { DayOfPoints } from './days';
import { useWidth } from './use-width';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';
import chart from '../ui/chart.module.css';
import choice from '../ui/choice.module.css';
import styles from './points-chart.module.css';

const height = 190;
const margin = { top: 14, right: 10, bottom: 24, left: 38 };
const spans = [30, 90, 366] as const;

/** Points over time. */
export function PointsChart({ days }: { days: readonly DayOfPoints[] }) {
  const { person } = messages.value;
  const [span, setSpan] = useState<number>(30);
  const shown = days.slice(-span);
  const sum = shown.reduce((total, { points }) => total + points, 0);
  return (
    <section class={ui.card} aria-labelledby="points-title">
      <CardHead>
        <h2 id="points-title">{person.pointsOverTime}</h2>
        <div class={choice.choice} role="group" aria-label={person.span}>
          {spans.map((count) => (
            <button key={count} type="button" aria-pressed={span === count} onClick={() => setSpan(count)}>
              {count > 365 ? person.year : person.days(count)}
            </button>
          ))}
        </div>
      </CardHead>
      <Bars days={shown} label={person.pointsIn(sum, shown.length)} />
    </section>
  );
}

function Bars({ days, label }: { days: readonly DayOfPoints[]; label: string }) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 640);
  const [looked, setLooked] = useState<DayOfPoints | null>(null);
  const x = scaleBand(
    days.map(({ date }) => date),
    [margin.left, width - margin.right],
  ).padding(days.length > 90 ? 0 : 0.2);
  const all = days.map(({ points }) => points);
  const y = scaleLinear([Math.min(0, ...all), Math.max(1, ...all)], [height - margin.bottom, margin.top]).nice(4);
  const at = ({ date }: DayOfPoints) => x(date) ?? 0;
  const labelled = days.filter((_, index) => index % Math.max(1, Math.ceil(days.length / (width / 90))) === 0);
  const look = (event: PointerEvent & { readonly currentTarget: SVGSVGElement }) => {
    const share =
      (event.clientX - event.currentTarget.getBoundingClientRect().left - margin.left) / (x.range()[1] - margin.left);
    setLooked(days[Math.min(days.length - 1, Math.floor(Math.max(0, share) * days.length))] ?? null);
  };
  const { board, person } = messages.value;
  const told = ({ date, points }: DayOfPoints) =>
    `${formatDayLong(date)}: ${formatNumber(points)} ${board.points(points)}`;
  const last = days.length - 1;
  const place = days.findIndex(({ date }) => date === looked?.date);
  const chosen = place < 0 ? last : place;
  const lookAt = (index: number) => setLooked(days[index] ?? null);
  return (
    <div ref={box} class={chart.chart}>
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={label}
        onPointerMove={look}
        onPointerLeave={() => setLooked(null)}
      >
        <ValueAxis scale={y} left={margin.left} right={width - margin.right} />
        {labelled.map((day) => (
          <text key={day.date} class={chart.label} x={at(day) + x.bandwidth() / 2} y={height - 6} text-anchor="middle">
            {formatDayShort(day.date)}
          </text>
        ))}
        {days.map((day) => (
          <rect
            key={day.date}
            class={styles.bar}
            data-looked={day.date === looked?.date || undefined}
            x={at(day)}
            y={Math.min(y(0), y(day.points))}
            width={x.bandwidth()}
            height={Math.abs(y(day.points) - y(0))}
            rx={Math.min(3, x.bandwidth() / 4)}
          />
        ))}
      </svg>
      <input
        type="range"
        class={styles.days}
        aria-label={person.lookAtDay}
        aria-valuetext={days[chosen] && told(days[chosen])}
        max={last}
        value={chosen}
        onFocus={() => lookAt(chosen)}
        onInput={({ currentTarget }) => lookAt(currentTarget.valueAsNumber)}
        onBlur={() => setLooked(null)}
      />
      <p class={classes(ui.quiet, styles.note)} id="looked-at">
        {looked ? told(looked) : label}
      </p>
    </div>
  );
}
