import { useState } from 'preact/hooks';
import { MoreButton } from '../articles/more-button';
import { Paragraphs } from '../articles/paragraphs';
import { formatMoment } from '../language/format';
import { messages } from '../language/language';
import { useResource } from '../resource/use-resource';
import { FaultNotice } from '../ui/fault-notice';
import { OperatorCard } from './operator-card';
import { approve, submissionsQuery, refuse, type Submission } from './operators';
import { type Deed, useDeed } from '../resource/use-deed';
import { pathOf } from '../addresses/pages';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';
import form from '../ui/form.module.css';
import facts from '../ui/facts.module.css';
import styles from './submissions-card.module.css';

/** Articles that wait to be reviewed, and the forms to approve or refuse them. */
export function SubmissionsCard() {
  const loaded = useResource(submissionsQuery());
  const deed = useDeed();
  const { operators: words } = messages.value;
  /** Whatever became of it: what another moderator decided, or the author took back, waits no longer. */
  const decide = (act: () => Promise<unknown>) => void deed.run(act).then(loaded.again);

  async function readMore(cursor: string): Promise<void> {
    const { submissions, next } = await submissionsQuery(cursor).read();
    loaded.change((before) => ({ submissions: [...before.submissions, ...submissions], next }));
  }

  return (
    <OperatorCard name="submissions" title={words.submissions} loaded={loaded}>
      {({ submissions, next }) => (
        <>
          {deed.fault && <FaultNotice fault={deed.fault} />}
          {submissions.length === 0 && <p class={ui.quiet}>{words.none}</p>}
          <ul>
            {submissions.map((submission) => (
              <SubmissionLine key={submission.id} {...{ submission, decide }} isBusy={deed.isBusy} />
            ))}
          </ul>
          {next !== null && <MoreButton label={words.moreSubmissions} more={() => readMore(next)} />}
        </>
      )}
    </OperatorCard>
  );
}

function SubmissionLine({
  submission: { id, submittedAt, article },
  isBusy,
  decide,
}: Pick<Deed, 'isBusy'> & { submission: Submission; decide: (act: () => Promise<unknown>) => void }) {
  const { operators: words, categoryNames } = messages.value;
  const [reason, setReason] = useState('');
  const { title, category, body, author } = article;
  return (
    <li class={styles.submission}>
      <h3>{title}</h3>
      <p class={facts.byline}>
        <a class={ui.name} href={pathOf('person', author.id)}>
          {author.name}
        </a>
        <span>{categoryNames[category]}</span>
        <time dateTime={submittedAt}>{formatMoment(submittedAt)}</time>
      </p>
      <details class={styles.text}>
        <summary aria-label={words.textOf(title)}>{words.text}</summary>
        <Paragraphs text={body} />
      </details>
      <form
        class={classes(form.form, form.inLine)}
        onSubmit={(event) => {
          event.preventDefault();
          decide(() => refuse(id, reason));
        }}
      >
        <button
          type="button"
          class={classes(ui.button, ui.small)}
          aria-label={words.approveOf(title)}
          disabled={isBusy}
          onClick={() => decide(() => approve(id))}
        >
          {words.approve}
        </button>
        <label>
          <span>{words.refusalReason}</span>
          <input
            name="reason"
            required
            maxLength={1_000}
            value={reason}
            onInput={({ currentTarget }) => setReason(currentTarget.value)}
          />
        </label>
        <button
          type="submit"
          class={classes(ui.quietButton, ui.small)}
          aria-label={words.refuseOf(title)}
          disabled={isBusy}
        >
          {words.refuse}
        </button>
      </form>
    </li>
  );
}
