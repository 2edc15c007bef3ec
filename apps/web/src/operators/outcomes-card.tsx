import { scaleBand, scaleLinear } from 'd3-scale';
import { stack } from 'd3-shape';
import { useRef } from 'preact/hooks';
import { formatNumber, formatTime } from '../language/format';
import { messages } from '../language/language';
import { useResource } from '../resource/use-resource';
import { useWidth } from '../people/use-width';
import { ValueAxis } from '../ui/value-axis';
import { OperatorCard } from './operator-card';
import { type MinuteOfOutcomes, outcomesAsked } from './operators';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';
import chart from '../ui/chart.module.css';
import styles from './outcomes-card.module.css';

const height = 170;
const margin = { top: 10, right: 4, bottom: 22, left: 38 };
/** From the bottom of a bar to its top. */
const order = ['granted', 'revoked', 'duplicate', 'ignored', 'notGranted', 'limited', 'closed', 'rejected'];

/** What became of activities, minute by minute, on the instance that answers. */
export function OutcomesCard() {
  const loaded = useResource(outcomesAsked());
  const { operators: words } = messages.value;
  return (
    <OperatorCard name="outcomes" title={words.outcomes} loaded={loaded}>
      {({ minutes }) => <Bars minutes={minutes} />}
    </OperatorCard>
  );
}

function Bars({ minutes }: { minutes: readonly MinuteOfOutcomes[] }) {
  const { operators: words } = messages.value;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 640);
  const totals = new Map(
    order.map((name) => [name, minutes.reduce((sum, { outcomes }) => sum + (outcomes[name] ?? 0), 0)]),
  );
  const named = order.filter((name) => (totals.get(name) ?? 0) > 0);
  const layers = stack<MinuteOfOutcomes>()
    .keys(named)
    .value(({ outcomes }, name) => outcomes[name] ?? 0)([...minutes]);
  const most = Math.max(1, ...layers.flatMap((layer) => layer.map(([, end]) => end)));
  const x = scaleBand(
    minutes.map(({ at }) => at),
    [margin.left, width - margin.right],
  ).padding(0.2);
  const y = scaleLinear([0, most], [height - margin.bottom, margin.top]).nice(4);
  const sum = [...totals.values()].reduce((all, count) => all + count, 0);
  return (
    <div ref={box} class={classes(chart.chart, styles.outcomes)}>
      <svg width={width} height={height} role="img" aria-label={words.outcomesIn(sum, minutes.length)}>
        <ValueAxis scale={y} left={margin.left} right={width - margin.right} />
        {layers.map((layer) =>
          layer.map((bar) => (
            <rect
              key={`${layer.key} ${bar.data.at}`}
              data-outcome={layer.key}
              x={x(bar.data.at)}
              y={y(bar[1])}
              width={x.bandwidth()}
              height={Math.max(0, y(bar[0]) - y(bar[1]))}
            />
          )),
        )}
        {minutes
          .filter((_, index) => index % 15 === 0)
          .map(({ at }) => (
            <text key={at} class={chart.label} x={x(at)} y={height - 5}>
              {formatTime(new Date(at))}
            </text>
          ))}
      </svg>
      <ul class={styles.legend}>
        {named.map((name) => (
          <li key={name}>
            <span class={styles.swatch} data-outcome={name} aria-hidden="true" /> {words.outcomeNames[name] ?? name}{' '}
            {formatNumber(totals.get(name) ?? 0)}
          </li>
        ))}
        {named.length === 0 && <li class={ui.quiet}>{words.none}</li>}
      </ul>
    </div>
  );
}
