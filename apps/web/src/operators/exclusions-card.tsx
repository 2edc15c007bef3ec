import { useState } from 'preact/hooks';
import { formatMoment } from '../language/format';
import { messages } from '../language/language';
import { useResource } from '../resource/use-resource';
import { FaultNotice } from '../ui/fault-notice';
import { UserName } from '../ui/subject';
import { useNames } from '../ui/use-names';
import { CardTable } from '../ui/card-table';
import { OperatorCard } from './operator-card';
import { MoreButton } from '../articles/more-button';
import { type Exclusion, exclude, exclusionReasons, include, exclusionsQuery } from './operators';
import { chosenPerson, noPerson, PersonField } from './person-field';
import { useDeed } from '../resource/use-deed';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';
import form from '../ui/form.module.css';

const empty: { readonly reason: (typeof exclusionReasons)[number]; readonly note: string } = {
  reason: 'banned',
  note: '',
};

/** Excluded users, and the forms to exclude a user and to admit them again. */
export function ExclusionsCard() {
  const loaded = useResource(exclusionsQuery());
  const { isBusy, fault, run } = useDeed('/activity/exclusions');
  const { operators: words } = messages.value;
  const names = useNames((loaded.value?.exclusions ?? []).map(({ userId }) => `user:${userId}`));
  const [person, setPerson] = useState(noPerson);
  const [draft, setDraft] = useState(empty);
  const { reason, note } = draft;

  /** Appends the page after; the list may be another by then, and name somebody twice. */
  async function readMore(cursor: string): Promise<void> {
    const { exclusions, next } = await exclusionsQuery(cursor).read();
    loaded.change((before) => ({ exclusions: withoutTwice([...before.exclusions, ...exclusions]), next }));
  }

  async function submit(): Promise<void> {
    let isExcluded = false;
    await run(async () => {
      const userId = await chosenPerson(person, setPerson);
      if (userId === null) return;
      await exclude(userId, { reason, ...(note !== '' && { note }) });
      isExcluded = true;
    });
    if (!isExcluded) return;
    setPerson(noPerson);
    setDraft({ reason, note: '' });
  }

  return (
    <OperatorCard name="exclusions" title={words.exclusions} loaded={loaded}>
      {({ exclusions, next }) => (
        <>
          <form
            class={classes(form.form, form.inLine)}
            onSubmit={(event) => {
              event.preventDefault();
              void submit();
            }}
          >
            <PersonField draft={person} change={setPerson} />
            <label>
              <span>{words.reason}</span>
              <select
                name="reason"
                value={reason}
                onChange={({ currentTarget: { value } }) =>
                  setDraft({ ...draft, reason: exclusionReasons.find((one) => one === value) ?? reason })
                }
              >
                {exclusionReasons.map((name) => (
                  <option key={name} value={name}>
                    {words.exclusionReasons[name]}
                  </option>
                ))}
              </select>
            </label>
            <label>
              <span>{words.note}</span>
              <input
                name="note"
                value={note}
                onInput={({ currentTarget }) => setDraft({ ...draft, note: currentTarget.value })}
              />
            </label>
            <button type="submit" class={classes(ui.button, ui.small)} disabled={isBusy}>
              {words.exclude}
            </button>
          </form>
          {fault && <FaultNotice fault={fault} />}
          {exclusions.length === 0 ? (
            <p class={ui.quiet}>{words.none}</p>
          ) : (
            <CardTable name="exclusions" heads={[words.who, words.reason, words.since, words.undo]}>
              {exclusions.map((one) => (
                <tr key={`${one.userId} ${one.source}`}>
                  <th scope="row">
                    <UserName userId={one.userId} names={names} />
                  </th>
                  <td>
                    {words.exclusionReasons[one.reason]} <span class={ui.quiet}>{one.note}</span>
                  </td>
                  <td>{formatMoment(one.since)}</td>
                  <td>
                    {one.source === 'operator' && (
                      <button
                        type="button"
                        class={ui.linkButton}
                        aria-label={words.includeOf(names[`user:${one.userId}`] ?? one.userId)}
                        disabled={isBusy}
                        onClick={() => void run(() => include(one.userId))}
                      >
                        {words.include}
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </CardTable>
          )}
          {next !== null && <MoreButton label={words.moreExclusions} more={() => readMore(next)} />}
        </>
      )}
    </OperatorCard>
  );
}

function withoutTwice(exclusions: readonly Exclusion[]): readonly Exclusion[] {
  return [...new Map(exclusions.map((one) => [`${one.userId} ${one.source}`, one])).values()];
}
