import { useState } from 'preact/hooks';
import { formatMoment } from '../language/format';
import { messages } from '../language/language';
import { useResource } from '../resource/use-resource';
import { FaultNotice } from '../ui/fault-notice';
import { UserName } from '../ui/subject';
import { useNames } from '../ui/use-names';
import { CardTable } from '../ui/card-table';
import { OperatorCard } from './operator-card';
import { decideReview, hold, reviewsQuery, rulesQuery } from './operators';
import { chosenPerson, noPerson, PersonField } from './person-field';
import { useDeed } from '../resource/use-deed';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';
import form from '../ui/form.module.css';
import shared from './shared.module.css';

/** Users whose points are held back until somebody has looked at them, and the ways to decide. */
export function ReviewsCard() {
  const loaded = useResource(reviewsQuery());
  const rules = useResource(rulesQuery()).value?.rules ?? [];
  const { isBusy, fault, run } = useDeed('/activity/reviews', '/activity/exclusions');
  const { operators: words, actions } = messages.value;
  const names = useNames((loaded.value?.reviews ?? []).map(({ userId }) => `user:${userId}`));
  const [person, setPerson] = useState(noPerson);
  const [reason, setReason] = useState('');
  /** '': all that the person does. */
  const [action, setAction] = useState('');
  const [voiding, setVoiding] = useState<string | null>(null);

  async function submit(): Promise<void> {
    let isHeld = false;
    await run(async () => {
      const userId = await chosenPerson(person, setPerson);
      if (userId === null) return;
      await hold(userId, { reason, action: action || undefined });
      isHeld = true;
    });
    if (!isHeld) return;
    setPerson(noPerson);
    setReason('');
    setAction('');
  }

  const decide = (id: string, decision: 'release' | 'void') =>
    void run(() => decideReview(id, decision)).then(() => setVoiding(null));

  return (
    <OperatorCard name="reviews" title={words.reviews} loaded={loaded}>
      {({ reviews }) => (
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
              <span>{words.what}</span>
              <select name="action" value={action} onChange={({ currentTarget: { value } }) => setAction(value)}>
                <option value="">{words.allOfThem}</option>
                {[...new Set(rules.map((rule) => rule.action))].map((name) => (
                  <option key={name} value={name}>
                    {actions[name] ?? name}
                  </option>
                ))}
              </select>
            </label>
            <label>
              <span>{words.reason}</span>
              <input
                name="reason"
                required
                maxLength={500}
                value={reason}
                onInput={({ currentTarget }) => setReason(currentTarget.value)}
              />
            </label>
            <button type="submit" class={classes(ui.button, ui.small)} disabled={isBusy}>
              {words.hold}
            </button>
          </form>
          {fault && <FaultNotice fault={fault} />}
          {reviews.length === 0 ? (
            <p class={ui.quiet}>{words.none}</p>
          ) : (
            <CardTable name="reviews" heads={[words.who, words.reason, words.heldSince, words.decision]}>
              {reviews.map(({ id, userId, reason: why, action: held, activities = [], heldAt, heldBy }) => (
                <tr key={id}>
                  <th scope="row">
                    <UserName userId={userId} names={names} />
                  </th>
                  <td>
                    {why}{' '}
                    <span class={ui.quiet}>
                      {[held === undefined ? [] : (actions[held] ?? held), ...activities.map(({ subject }) => subject)]
                        .flat()
                        .join(', ')}
                    </span>
                  </td>
                  <td>
                    {formatMoment(heldAt)} <span class={ui.quiet}>{heldBy}</span>
                  </td>
                  <td class={shared.deeds}>
                    <button
                      type="button"
                      class={ui.linkButton}
                      disabled={isBusy}
                      aria-label={words.releaseOf(names[`user:${userId}`] ?? userId)}
                      onClick={() => decide(id, 'release')}
                    >
                      {words.release}
                    </button>
                    <button
                      type="button"
                      class={ui.linkButton}
                      disabled={isBusy}
                      aria-label={(voiding === id ? words.voidSurelyOf : words.voidOf)(
                        names[`user:${userId}`] ?? userId,
                      )}
                      onClick={() => (voiding === id ? decide(id, 'void') : setVoiding(id))}
                    >
                      {voiding === id ? words.voidSurely : words.void}
                    </button>
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
