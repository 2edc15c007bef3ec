import { Places } from '../board/entry-line';
import { formatNumber } from '../language/format';
import { messages } from '../language/language';
import { CardTable } from './operator-card';
import type { Simulation } from './operators';
import { pathOf } from '../addresses/pages';

/** The standings under the rules that were tried, beside the present ones. */
export function SimulatedStandings({
  simulation: { top, pointsNow, pointsThen, worthless, uneven, users },
  names,
}: {
  simulation: Simulation;
  names: ReadonlyMap<string, string>;
}) {
  const { operators: words, actions } = messages.value;
  if (users === 0) return <p class="quiet">{words.nobodyOnIt}</p>;
  return (
    <div id="simulation">
      <h3 id="simulation-title">{words.dryRunOf}</h3>
      <CardTable name="simulation" heads={[words.placeThen, words.who, words.pointsThen, words.pointsNow]}>
        {top.map(({ userId, points, rankNow, pointsNow: now }, index) => (
          <tr key={userId}>
            <td>
              {formatNumber(index + 1)} <Places change={rankNow - index - 1} />
            </td>
            <th scope="row">
              <a class="name" href={pathOf('person', userId)}>
                {names.get(userId) ?? userId}
              </a>
            </th>
            <td>{formatNumber(points)}</td>
            <td>{formatNumber(now)}</td>
          </tr>
        ))}
      </CardTable>
      <p class="quiet">
        {words.wouldBe(formatNumber(pointsNow), formatNumber(pointsThen))}{' '}
        {worthless.length > 0 && words.worthless(worthless.map((action) => actions[action] ?? action).join(', '))}{' '}
        {uneven > 0 && words.uneven(uneven)}
      </p>
    </div>
  );
}
