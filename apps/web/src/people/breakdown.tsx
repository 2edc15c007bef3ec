import { scaleLinear } from 'd3-scale';
import { formatNumber } from '../language/format';
import { messages } from '../language/language';
import { useResource } from '../resource/use-resource';
import { dayAfter } from './days';
import { actionsQuery, type DayOfActions } from './people';
import ui from '../ui/pieces.module.css';
import chart from '../ui/chart.module.css';
import styles from './breakdown.module.css';

/** The ledger tells no more days at once. */
const days = 31;
const barWidth = 72;

/** A user's points of the last month, by action. For that user alone. */
export function Breakdown({ userId, today }: { userId: string; today: string }) {
  const { person, actions } = messages.value;
  const { value, fault } = useResource(actionsQuery(userId, { from: dayAfter(today, 1 - days), to: today }));
  const counts = countsOf(value?.days ?? []);
  const width = scaleLinear([0, Math.max(1, ...counts.map(([, count]) => count))], [0, barWidth]);
  return (
    <section class={ui.card} aria-labelledby="breakdown-title">
      <h2 id="breakdown-title">{person.breakdown(days)}</h2>
      {fault && <p class={ui.quiet}>{messages.value.fault[fault.kind]}</p>}
      {value && counts.length === 0 && <p class={ui.quiet}>{person.nothingYet}</p>}
      <dl class={styles.breakdown}>
        {counts.map(([action, count]) => (
          <div key={action}>
            <dt>{actions[action] ?? action}</dt>
            <dd>
              <svg class={chart.bar} width={barWidth} height="8" aria-hidden="true">
                <rect width={width(count)} height="8" rx="4" />
              </svg>
              {formatNumber(count)}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** How often each action stands, the most frequent first. */
function countsOf(days: readonly DayOfActions[]): [action: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { actions } of days) {
    for (const [action, count] of Object.entries(actions)) counts.set(action, (counts.get(action) ?? 0) + count);
  }
  return [...counts].filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a);
}
