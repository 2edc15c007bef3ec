import { useState } from 'preact/hooks';
import { formatMoment, formatPeriod } from '../language/format';
import { messages } from '../language/language';
import { useDeed } from '../resource/use-deed';
import { useResource } from '../resource/use-resource';
import { CardTable } from '../ui/card-table';
import { classes } from '../ui/classes';
import { FaultNotice } from '../ui/fault-notice';
import form from '../ui/form.module.css';
import ui from '../ui/pieces.module.css';
import { OperatorCard } from './operator-card';
import { beginLeaderboard, endLeaderboard, liveLeaderboardsQuery } from './operators';

const empty = { name: '', from: '', to: '' };

/** Contests that began while the app runs, what they were filled with, and a form for another. */
export function LeaderboardsCard() {
  const loaded = useResource(liveLeaderboardsQuery());
  const { isBusy, fault, run } = useDeed('/activity/leaderboards', '/activity/settlement', '/ranks');
  const { operators: words } = messages.value;
  const [draft, setDraft] = useState(empty);
  const { name, from, to } = draft;
  const days = [
    ['from', words.firstDay],
    ['to', words.lastDay],
  ] as const;

  return (
    <OperatorCard name="leaderboards" title={words.contests} loaded={loaded}>
      {({ leaderboards }) => (
        <>
          <form
            class={classes(form.form, form.inLine)}
            onSubmit={(event) => {
              event.preventDefault();
              void run(() => beginLeaderboard({ name, contest: { from, to } })).then((isDone) => {
                if (isDone) setDraft(empty);
              });
            }}
          >
            <label>
              <span>{words.leaderboard}</span>
              <input
                name="name"
                required
                value={name}
                onInput={({ currentTarget }) => setDraft({ ...draft, name: currentTarget.value })}
              />
            </label>
            {days.map(([field, label]) => (
              <label key={field}>
                <span>{label}</span>
                <input
                  name={field}
                  type="date"
                  required
                  value={draft[field]}
                  onInput={({ currentTarget }) => setDraft({ ...draft, [field]: currentTarget.value })}
                />
              </label>
            ))}
            <button type="submit" class={classes(ui.button, ui.small)} disabled={isBusy}>
              {words.begin}
            </button>
          </form>
          {fault && <FaultNotice fault={fault} />}
          {leaderboards.length === 0 ? (
            <p class={ui.quiet}>{words.none}</p>
          ) : (
            <CardTable name="leaderboards" heads={[words.leaderboard, words.since, words.filledWith, words.end]}>
              {leaderboards.map((one) => (
                <tr key={one.name}>
                  <th scope="row">{one.name}</th>
                  <td>{formatMoment(one.since)}</td>
                  <td>
                    {one.filledAt === null
                      ? words.filling
                      : one.periods.map((filled) => (
                          <div key={filled.period}>
                            {formatPeriod(filled.period)} <span class={ui.quiet}>{words.filledFrom(filled.from)}</span>
                          </div>
                        ))}
                  </td>
                  <td>
                    {one.endedAt === null ? (
                      <button
                        type="button"
                        class={ui.linkButton}
                        aria-label={words.endOf(one.name)}
                        disabled={isBusy}
                        onClick={() => void run(() => endLeaderboard(one.name))}
                      >
                        {words.end}
                      </button>
                    ) : (
                      formatMoment(one.endedAt)
                    )}
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
