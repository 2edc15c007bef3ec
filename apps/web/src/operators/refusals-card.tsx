import { useState } from 'preact/hooks';
import type { TracedRefusal } from '../contract/api.generated';
import { formatMoment } from '../language/format';
import { messages } from '../language/language';
import { useResource } from '../resource/use-resource';
import { Subject, subjectIn, UserName } from '../ui/subject';
import { useNames } from '../ui/use-names';
import { CardTable } from '../ui/card-table';
import { OperatorCard } from './operator-card';
import { refusalsQuery } from './operators';
import ui from '../ui/pieces.module.css';

const shownFirst = 10;

/** The latest refusals: those of one user, action and reason in one line. */
export function RefusalsCard() {
  const loaded = useResource(refusalsQuery());
  const [isWhole, setIsWhole] = useState(false);
  const { operators: words, actions, board } = messages.value;
  const names = useNames(
    (loaded.value?.refusals ?? []).flatMap(({ userId, subject }) => [`user:${userId}`, subjectIn(subject)]),
  );
  return (
    <OperatorCard name="refusals" title={words.refusals} loaded={loaded}>
      {({ refusals }) => {
        if (refusals.length === 0) {
          return (
            <p class={ui.quiet} data-nothing>
              {words.none}
            </p>
          );
        }
        const groups = groupsOf(refusals);
        return (
          <>
            <CardTable name="refusals" heads={[words.when, words.who, words.what, words.reason, words.again]}>
              {groups.slice(0, isWhole ? groups.length : shownFirst).map(([latest, count], index) => (
                <tr key={index}>
                  <td>{formatMoment(latest.at)}</td>
                  <td>
                    <UserName userId={latest.userId} names={names} />
                  </td>
                  <td>
                    {actions[latest.action] ?? latest.action}{' '}
                    {count > 1 ? words.times(count) : <Subject subject={latest.subject} names={names} />}
                  </td>
                  <td>{latest.reason}</td>
                  <td>{latest.allowedAgainAt === null ? '–' : formatMoment(latest.allowedAgainAt)}</td>
                </tr>
              ))}
            </CardTable>
            {!isWhole && groups.length > shownFirst && (
              <button type="button" class={ui.more} onClick={() => setIsWhole(true)}>
                {board.more}
              </button>
            )}
          </>
        );
      }}
    </OperatorCard>
  );
}

/** The latest of each group, and how many there are; the refusals come latest first. */
function groupsOf(refusals: readonly TracedRefusal[]): [latest: TracedRefusal, count: number][] {
  const groups = new Map<string, [TracedRefusal, number]>();
  for (const refusal of refusals) {
    const key = JSON.stringify([refusal.userId, refusal.action, refusal.reason]);
    const [latest = refusal, count = 0] = groups.get(key) ?? [];
    groups.set(key, [latest, count + 1]);
  }
  return [...groups.values()];
}
