import { scaleLinear } from 'd3-scale';
import { useState } from 'preact/hooks';
import { boardPath } from '../board/board-path';
import { formatNumber, formatPeriodShort } from '../language/format';
import { messages } from '../language/language';
import { endingBoards, firstBoard } from '../ranks/boards';
import { useResource } from '../resource/use-resource';
import { CardHead } from '../ui/card-head';
import { CardTable } from '../ui/card-table';
import { type PastPlace, pastPlacesQuery } from './people';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';
import chart from '../ui/chart.module.css';
import choice from '../ui/choice.module.css';

/** Where somebody stood in periods that have ended. */
export function RankHistory({ userId }: { userId: string }) {
  const { person, board } = messages.value;
  const [leaderboard, setLeaderboard] = useState<string>(firstBoard);
  const { value, fault } = useResource(pastPlacesQuery(leaderboard, userId));
  return (
    <section class={ui.card} aria-labelledby="history-title">
      <CardHead>
        <h2 id="history-title">{person.rankHistory}</h2>
        <div class={choice.choice} role="group" aria-label={board.kinds}>
          {endingBoards.map((name) => (
            <button key={name} type="button" aria-pressed={name === leaderboard} onClick={() => setLeaderboard(name)}>
              {board.names[name] ?? name}
            </button>
          ))}
        </div>
      </CardHead>
      {fault && <p class={ui.quiet}>{messages.value.fault[fault.kind]}</p>}
      {value?.entries.length === 0 && <p class={ui.quiet}>{person.noHistory}</p>}
      {value && value.entries.length > 0 && <PlacesTable leaderboard={leaderboard} places={value.entries} />}
    </section>
  );
}

function PlacesTable({ leaderboard, places }: { leaderboard: string; places: readonly PastPlace[] }) {
  const { person, board } = messages.value;
  const most = Math.max(...places.map(({ score }) => score));
  const width = scaleLinear([0, Math.max(1, most)], [0, 100]);
  return (
    <CardTable name="history" heads={[person.period, person.rank, person.points]}>
      {places.map(({ period, rank, score, total }) => (
        <tr key={period.key}>
          <th scope="row">
            <a href={boardPath({ leaderboard, period: period.key })}>{formatPeriodShort(period.key)}</a>
          </th>
          <td>
            {formatNumber(rank)} <span class={ui.quiet}>/ {board.people(total)}</span>
          </td>
          <td>
            <svg
              class={classes(chart.bar, chart.shrinks)}
              viewBox="0 0 100 8"
              preserveAspectRatio="none"
              aria-hidden="true"
            >
              <rect width={width(score)} height="8" rx="4" />
            </svg>{' '}
            {formatNumber(score)}
          </td>
        </tr>
      ))}
    </CardTable>
  );
}
