import { Places } from '../board/entry-line';
import { formatNumber } from '../language/format';
import { messages } from '../language/language';
import { CardTable } from '../ui/card-table';
import type { Simulation } from './operators';
import { pathOf } from '../addresses/pages';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';
import styles from './simulated-standings.module.css';

/** The standings under the rules that were tried, beside the present ones. */
export function SimulatedStandings({
  simulation: { top, pointsNow, pointsThen, worthless, uneven, users },
  names,
}: {
  simulation: Simulation;
  names: ReadonlyMap<string, string>;
}) {
  const { operators: words, actions } = messages.value;
  if (users === 0) return <p class={ui.quiet}>{words.nobodyOnIt}</p>;
  return (
    <div id="simulation">
      <h3 id="simulation-title">{words.dryRunOf}</h3>
      <CardTable name="simulation" heads={[words.placeThen, words.who, words.pointsThen, words.pointsNow]}>
        {top.map(({ userId, points, rankNow, pointsNow: now }, index) => (
          <tr key={userId}>
            <td>
              {formatNumber(index + 1)} <Places change={rankNow && rankNow - index - 1} />
            </td>
            <th scope="row">
              <a class={classes(ui.name, styles.name)} href={pathOf('person', userId)}>
                {names.get(userId) ?? userId}
              </a>
            </th>
            <td>{formatNumber(points)}</td>
            <td>{formatNumber(now)}</td>
          </tr>
        ))}
      </CardTable>
      <p class={ui.quiet}>
        {words.wouldBe(formatNumber(pointsNow), formatNumber(pointsThen))}{' '}
        {worthless.length > 0 && words.worthless(worthless.map((action) => actions[action] ?? action).join(', '))}{' '}
        {uneven > 0 && words.uneven(uneven)}
      </p>
    </div>
  );
}
