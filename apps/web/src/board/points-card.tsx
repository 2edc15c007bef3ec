import { formatSigned } from '../language/format';
import { messages } from '../language/language';
import { pointsQuery } from '../ranks/ranks';
import { useResource } from '../resource/use-resource';
import ui from '../ui/pieces.module.css';
import styles from './points-card.module.css';

/** The points of each action. */
export function PointsCard() {
  const { value } = useResource(pointsQuery());
  const { board, actions } = messages.value;
  return (
    <section class={ui.card} aria-labelledby="rules-title">
      <h2 id="rules-title">{board.rules}</h2>
      <dl class={styles.points} id="rules">
        {[...(value?.actions ?? [])]
          .sort((a, b) => b.points - a.points)
          .map(({ action, points }) => (
            <div key={action}>
              <dt>{actions[action] ?? action}</dt>
              <dd>{formatSigned(points)}</dd>
            </div>
          ))}
      </dl>
      <p class={ui.quiet}>{board.rulesNote}</p>
    </section>
  );
}
