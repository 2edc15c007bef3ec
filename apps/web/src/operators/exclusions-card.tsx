import { useState } from 'preact/hooks';
import { formatMoment } from '../language/format';
import { messages } from '../language/language';
import { FaultNotice } from '../ui/fault-notice';
import { useLoaded } from '../ui/use-loaded';
import { CardTable, OperatorCard } from './operator-card';
import { MoreButton } from '../articles/more-button';
import { type Exclusion, exclude, exclusionReasons, include, readExclusions, readMoreExclusions } from './operators';
import { useDeed } from './use-deed';

/** Excluded users, and the forms to exclude a user and to admit them again. */
export function ExclusionsCard() {
  const loaded = useLoaded(readExclusions);
  const { isBusy, fault, run } = useDeed();
  const { operators: words } = messages.value;
  const [draft, setDraft] = useState<{ userId: string; reason: string; note: string }>({
    userId: '',
    reason: 'banned',
    note: '',
  });
  const { userId, reason, note } = draft;

  /** Appends the page after; the list may be another by then, and name somebody twice. */
  async function readMore(cursor: string): Promise<void> {
    const { exclusions, next } = await readMoreExclusions(cursor);
    loaded.change((before) => ({ exclusions: withoutTwice([...before.exclusions, ...exclusions]), next }));
  }

  async function submit(): Promise<void> {
    const isDone = await run(() => exclude(userId.trim(), { reason, ...(note !== '' && { note }) }));
    if (!isDone) return;
    setDraft({ userId: '', reason, note: '' });
    loaded.again();
  }

  return (
    <OperatorCard name="exclusions" title={words.exclusions} loaded={loaded}>
      {({ exclusions, next }) => (
        <>
          <form
            class="form in-line"
            onSubmit={(event) => {
              event.preventDefault();
              void submit();
            }}
          >
            <label>
              <span>{words.user}</span>
              <input
                name="userId"
                required
                value={userId}
                onInput={({ currentTarget }) => setDraft({ ...draft, userId: currentTarget.value })}
              />
            </label>
            <label>
              <span>{words.reason}</span>
              <select
                name="reason"
                value={reason}
                onChange={({ currentTarget }) => setDraft({ ...draft, reason: currentTarget.value })}
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
            <button type="submit" class="button small" disabled={isBusy}>
              {words.exclude}
            </button>
          </form>
          {fault && <FaultNotice fault={fault} />}
          {exclusions.length === 0 ? (
            <p class="quiet">{words.none}</p>
          ) : (
            <CardTable name="exclusions" heads={[words.user, words.reason, words.since, words.undo]}>
              {exclusions.map((one) => (
                <tr key={`${one.userId} ${one.source}`}>
                  <th scope="row">{one.userId}</th>
                  <td>
                    {words.exclusionReasons[one.reason]} <span class="quiet">{one.note}</span>
                  </td>
                  <td>{formatMoment(one.since)}</td>
                  <td>
                    <button
                      type="button"
                      class="link-button"
                      aria-label={words.includeOf(one.userId)}
                      disabled={isBusy}
                      onClick={() => void run(() => include(one.userId)).then((isDone) => isDone && loaded.again())}
                    >
                      {words.include}
                    </button>
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
