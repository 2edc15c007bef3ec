import { useState } from 'preact/hooks';
import { formatMoment, formatSigned } from '../language/format';
import { messages } from '../language/language';
import { useResource } from '../resource/use-resource';
import { FaultNotice } from '../ui/fault-notice';
import { UserName } from '../ui/subject';
import { useNames } from '../ui/use-names';
import { CardTable } from '../ui/card-table';
import { OperatorCard } from './operator-card';
import { adjust, adjustmentsQuery } from './operators';
import { chosenPerson, noPerson, PersonField } from './person-field';
import { useDeed } from '../resource/use-deed';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';
import form from '../ui/form.module.css';

const empty = { points: '', reason: '', id: '' };

/** The latest adjustments, and a form for another. */
export function AdjustmentsCard() {
  const loaded = useResource(adjustmentsQuery());
  const { isBusy, fault, run } = useDeed('/activity/adjustments');
  const { operators: words } = messages.value;
  const names = useNames((loaded.value?.adjustments ?? []).map(({ userId }) => `user:${userId}`));
  const [person, setPerson] = useState(noPerson);
  const [draft, setDraft] = useState(empty);
  const [answer, setAnswer] = useState<string | null>(null);
  const fields = [
    ['points', words.points],
    ['reason', words.reason],
    ['id', words.adjustmentId],
  ] as const;

  async function submit(): Promise<void> {
    setAnswer(null);
    let isAdjusted = false;
    await run(async () => {
      const userId = await chosenPerson(person, setPerson);
      if (userId === null) return;
      const { outcome, points } = await adjust({ ...draft, userId, points: Number(draft.points) });
      isAdjusted = true;
      setAnswer(`${words.outcomeNames[outcome] ?? outcome}: ${formatSigned(points)}`);
    });
    if (!isAdjusted) return;
    setPerson(noPerson);
    setDraft(empty);
  }

  return (
    <OperatorCard name="adjustments" title={words.adjustments} loaded={loaded}>
      {({ adjustments }) => (
        <>
          <form
            class={classes(form.form, form.inLine)}
            onSubmit={(event) => {
              event.preventDefault();
              void submit();
            }}
          >
            <PersonField draft={person} change={setPerson} />
            {fields.map(([name, label]) => (
              <label key={name}>
                <span>{label}</span>
                <input
                  name={name}
                  inputMode={name === 'points' ? 'numeric' : 'text'}
                  pattern={name === 'points' ? '[+\\-]?[0-9]+' : undefined}
                  required
                  value={draft[name]}
                  onInput={({ currentTarget }) => setDraft({ ...draft, [name]: currentTarget.value })}
                />
              </label>
            ))}
            <button type="submit" class={classes(ui.button, ui.small)} disabled={isBusy}>
              {words.adjust}
            </button>
          </form>
          {fault && <FaultNotice fault={fault} />}
          <p class={ui.quiet} role="status">
            {answer}
          </p>
          {adjustments.length === 0 ? (
            <p class={ui.quiet}>{words.none}</p>
          ) : (
            <CardTable name="adjustments" heads={[words.when, words.who, words.points, words.reason]}>
              {adjustments.map(({ at, id, userId, points, reason }) => (
                <tr key={`${userId} ${id}`}>
                  <td>{formatMoment(at)}</td>
                  <td>
                    <UserName userId={userId} names={names} />
                  </td>
                  <td>{formatSigned(points)}</td>
                  <td>
                    {reason} <span class={ui.quiet}>{id}</span>
                  </td>
                </tr>
              ))}
            </CardTable>
          )}
        </>
      )}
    </OperatorCard>
  );
}
