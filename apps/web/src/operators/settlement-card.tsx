import { formatMoment, formatPeriod } from '../language/format';
import { messages } from '../language/language';
import { useResource } from '../resource/use-resource';
import { CardTable } from '../ui/card-table';
import { OperatorCard } from './operator-card';
import { settlementQuery } from './operators';
import ui from '../ui/pieces.module.css';

/** Leaderboards and their periods, and how far they are settled. */
export function SettlementCard() {
  const loaded = useResource(settlementQuery());
  const { operators: words, period: periods, board } = messages.value;
  return (
    <OperatorCard name="settlement" title={words.settlement} loaded={loaded}>
      {({ isOn, leaderboards }) => (
        <>
          {!isOn && <p class={ui.quiet}>{words.settlementOff}</p>}
          <CardTable name="settlement" heads={[words.leaderboard, words.current, words.waiting, words.lastSettled]}>
            {leaderboards.map(({ leaderboard, current, waiting, lastSettled }) => (
              <tr key={leaderboard}>
                <th scope="row">{board.names[leaderboard] ?? leaderboard}</th>
                <td>
                  {formatPeriod(current.key)} <span class={ui.quiet}>{periods.states[current.state]}</span>
                </td>
                <td>
                  {waiting.length === 0
                    ? '–'
                    : waiting.map(({ key, closesAt, isDue }) => (
                        <div key={key}>
                          {key} <span class={ui.quiet}>{isDue ? words.due : words.closes(formatMoment(closesAt))}</span>
                        </div>
                      ))}
                </td>
                <td>
                  {lastSettled ? (
                    <>
                      {lastSettled.key} · {formatMoment(lastSettled.settledAt)} · {board.people(lastSettled.total)}{' '}
                      <code title={lastSettled.checksum}>{lastSettled.checksum.slice(0, 8)}</code>
                    </>
                  ) : (
                    '–'
                  )}
                </td>
              </tr>
            ))}
          </CardTable>
        </>
      )}
    </OperatorCard>
  );
}
