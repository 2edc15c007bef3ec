import { useState } from 'preact/hooks';
import { formatDayShort, formatNumber, formatPeriod } from '../language/format';
import { messages } from '../language/language';
import { askAgain } from '../resource/resource';
import { useResource } from '../resource/use-resource';
import { FaultNotice } from '../ui/fault-notice';
import { UserName } from '../ui/subject';
import { useNames } from '../ui/use-names';
import { findRings, hold, type ReportedRings, reviewsQuery } from './operators';
import { type ChosenStandings, StandingsChoice } from './standings-choice';
import { useDeed } from '../resource/use-deed';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';
import form from '../ui/form.module.css';
import shared from './shared.module.css';

/** People who praise each other in a ring, looked for when an operator asks, and the way to hold these points back. */
export function RingsCard() {
  const search = useDeed();
  const holding = useDeed();
  const { operators: words } = messages.value;
  const [of, setOf] = useState<ChosenStandings>({ leaderboard: 'month', period: 'current' });
  const [min, setMin] = useState('5');
  const [found, setFound] = useState<ReportedRings | null>(null);
  const names = useNames((found?.rings ?? []).flatMap(({ users }) => users.map((userId) => `user:${userId}`)));
  const isBusy = search.isBusy || holding.isBusy;
  const reviews = useResource(reviewsQuery()).value?.reviews ?? [];
  const held = new Set(reviews.filter(({ action }) => action === found?.action).map(({ userId }) => userId));

  const look = () => {
    setFound(null);
    void search.run(async () => setFound(await findRings({ ...of, min: Number(min) })));
  };

  /** What those of a ring gave each other since the first day that was looked at is in question, and waits. */
  const holdBack = (users: readonly string[], { action, since, period }: ReportedRings) =>
    void holding
      .run(async () => {
        const reason = words.ringReason(users.length, formatPeriod(period));
        for (const userId of users) await hold(userId, { reason, action, from: since });
      })
      // Where one of them failed those before are held all the same.
      .then(() => askAgain('/activity/reviews'));

  return (
    <section class={ui.card} aria-labelledby="rings-title" id="rings">
      <h2 id="rings-title">{words.rings}</h2>
      <p class={ui.quiet}>{words.ringsProve}</p>
      <form
        class={classes(form.form, form.inLine)}
        onSubmit={(event) => {
          event.preventDefault();
          look();
        }}
      >
        <StandingsChoice label={words.leaderboard} chosen={of} choose={setOf} />
        <label>
          <span>{words.ringsFrom}</span>
          <input
            name="min"
            type="number"
            min={1}
            max={1_000_000}
            required
            value={min}
            onInput={({ currentTarget }) => setMin(currentTarget.value)}
          />
        </label>
        <button type="submit" class={classes(ui.button, ui.small)} disabled={isBusy}>
          {words.findRings}
        </button>
      </form>
      {search.fault && <FaultNotice fault={search.fault} />}
      {holding.fault && <FaultNotice fault={holding.fault} />}
      <p class={ui.quiet} role="status">
        {search.isBusy && words.findingRings}
        {found && words.ringsFound(found.total, found.users, formatDayShort(found.from), formatDayShort(found.to))}{' '}
        {found?.isPartial && words.ringsPartial}
      </p>
      {found && (
        <ul class={shared.receipts} aria-label={words.ringOf}>
          {found.rings.map(({ users, counts }) => {
            const free = users.filter((userId) => !found.excluded.includes(userId) && !held.has(userId));
            const stateOf = (userId: string) => (held.has(userId) ? words.exclusionReasons.held : words.keptOff);
            const nameOf = (userId: string) => names[`user:${userId}`] ?? userId;
            return (
              <li key={users.join('\n')} class={shared.deeds}>
                <span>
                  {users.map((userId, i) => (
                    <span key={userId}>
                      <UserName userId={userId} names={names} />
                      {!free.includes(userId) && <span class={ui.quiet}> ({stateOf(userId)})</span>}{' '}
                      <span class={ui.quiet}>{formatNumber(counts[i] ?? 0)} →</span>{' '}
                    </span>
                  ))}
                  <span class={ui.quiet}>{nameOf(users[0] ?? '')}</span>
                </span>
                {free.length > 0 && (
                  <button
                    type="button"
                    class={ui.linkButton}
                    disabled={isBusy}
                    aria-label={words.holdRingOf(free.map(nameOf).join(', '))}
                    onClick={() => holdBack(free, found)}
                  >
                    {words.hold}
                  </button>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
