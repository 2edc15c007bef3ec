import { formatMoment } from '../language/format';
import { messages } from '../language/language';
import { useResource } from '../resource/use-resource';
import { Subject, subjectIn, UserName } from '../ui/subject';
import { useNames } from '../ui/use-names';
import { CardTable } from '../ui/card-table';
import { OperatorCard } from './operator-card';
import { refusalsAsked } from './operators';
import ui from '../ui/pieces.module.css';

/** The latest refusals. */
export function RefusalsCard() {
  const loaded = useResource(refusalsAsked());
  const { operators: words, actions } = messages.value;
  const names = useNames(
    (loaded.value?.refusals ?? []).flatMap(({ userId, subject }) => [`user:${userId}`, subjectIn(subject)]),
  );
  return (
    <OperatorCard name="refusals" title={words.refusals} loaded={loaded}>
      {({ refusals }) =>
        refusals.length === 0 ? (
          <p class={ui.quiet} data-nothing>
            {words.none}
          </p>
        ) : (
          <CardTable name="refusals" heads={[words.when, words.who, words.what, words.reason, words.again]}>
            {refusals.map(({ at, userId, action, subject, reason, allowedAgainAt }, index) => (
              <tr key={index}>
                <td>{formatMoment(at)}</td>
                <td>
                  <UserName userId={userId} names={names} />
                </td>
                <td>
                  {actions[action] ?? action} <Subject subject={subject} names={names} />
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
