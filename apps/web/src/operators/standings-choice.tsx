import { messages } from '../language/language';
import { leaderboardsQuery } from '../ranks/ranks';
import { useResource } from '../resource/use-resource';

/** The standings of a leaderboard. */
export interface ChosenStandings {
  readonly leaderboard: string;
  readonly period: 'current' | 'previous';
}

/** Chooses standings that something is computed from. */
export function StandingsChoice({
  label,
  chosen,
  choose,
}: {
  label: string;
  chosen: ChosenStandings;
  choose: (standings: ChosenStandings) => void;
}) {
  const { operators: words, board } = messages.value;
  const leaderboards = useResource(leaderboardsQuery()).value?.leaderboards;
  const { leaderboard, period } = chosen;
  const names = leaderboards?.filter(({ partition }) => partition === undefined).map(({ name }) => name);
  return (
    <>
      <label>
        <span>{label}</span>
        <select
          name="leaderboard"
          value={leaderboard}
          onChange={({ currentTarget: { value } }) => choose({ leaderboard: value, period })}
        >
          {(names ?? [leaderboard]).map((name) => (
            <option key={name} value={name}>
              {board.names[name] ?? name}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{words.dryRunPeriod}</span>
        <select
          name="period"
          value={period}
          onChange={({ currentTarget: { value } }) =>
            choose({ leaderboard, period: value === 'previous' ? 'previous' : 'current' })
          }
        >
          <option value="current">{words.thisPeriod}</option>
          <option value="previous">{words.lastPeriod}</option>
        </select>
      </label>
    </>
  );
}
