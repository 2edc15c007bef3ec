import { formatSigned } from '../language/format';
import { messages } from '../language/language';
import { pointsAsked } from '../ranks/ranks';
import { useResource } from '../resource/use-resource';

/** What each action is worth. */
export function PointsCard() {
  const { value } = useResource(pointsAsked());
  const { board, actions } = messages.value;
  return (
    <section class="card" aria-labelledby="rules-title">
      <h2 id="rules-title">{board.rules}</h2>
      <dl class="rules" id="rules">
        {[...(value?.actions ?? [])]
          .sort((a, b) => b.points - a.points)
          .map(({ action, points }) => (
            <div key={action}>
              <dt>{actions[action] ?? action}</dt>
              <dd>{formatSigned(points)}</dd>
            </div>
          ))}
      </dl>
      <p class="quiet">{board.rulesNote}</p>
    </section>
  );
}
