import { pathOf } from '../http/path-of';
import { formatMoment } from '../language/format';
import { messages } from '../language/language';
import { useLoaded } from '../ui/use-loaded';
import { CardTable, OperatorCard } from './operator-card';
import { readRefusals } from './operators';

/** The latest refusals. */
export function RefusalsCard() {
  const loaded = useLoaded(readRefusals);
  const { operators: words, actions } = messages.value;
  return (
    <OperatorCard name="refusals" title={words.refusals} loaded={loaded}>
      {({ refusals }) =>
        refusals.length === 0 ? (
          <p class="quiet">{words.none}</p>
        ) : (
          <CardTable name="refusals" heads={[words.when, words.user, words.what, words.reason, words.again]}>
            {refusals.map(({ at, userId, action, subject, reason, allowedAgainAt }, index) => (
              <tr key={index}>
                <td>{formatMoment(at)}</td>
                <td>
                  <a href={pathOf`/people/${userId}`}>{userId}</a>
                </td>
                <td>
                  {actions[action] ?? action} <span class="quiet">{subject}</span>
                </td>
                <td>{reason}</td>
                <td>{allowedAgainAt === null ? '–' : formatMoment(allowedAgainAt)}</td>
              </tr>
            ))}
          </CardTable>
        )
      }
    </OperatorCard>
  );
}
