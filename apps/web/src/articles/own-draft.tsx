import { useState } from 'preact/hooks';
import { messages } from '../language/language';
import { show } from '../points/gains';
import { type Article, publish, rewriteDraft, takeBack } from './articles';
import { useKeptText } from '../session/kept-text';
import { useClick } from '../points/use-click';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';
import form from '../ui/form.module.css';
import styles from './own-draft.module.css';

/** How a draft of one's own is put online: at once, or after its review. */
export function OwnDraft({ article, changed }: { article: Article; changed: (article: Article) => void }) {
  const { articles: words } = messages.value;
  const { review } = article;
  const isWaiting = review?.state === 'waiting';
  const { text, write, isWritten, sent } = useKeptText<DraftText>(`draft ${article.id}`, article);
  const keep = async () => {
    changed(await rewriteDraft(article.id, text));
    sent();
  };
  const { isBusy, run } = useClick(async () => {
    // What is published is what stands in the form.
    if (isWritten && !isWaiting) await keep();
    const { article: next, outcome } = await (isWaiting ? takeBack(article.id) : publish(article.id));
    changed(next);
    if (next.review?.state === 'waiting') show({ text: words.handedIn, tone: 'none' });
    return outcome;
  });
  return (
    <section class={styles.draft} aria-label={words.draft}>
      {isWaiting && <p id="review">{words.waits}</p>}
      {review?.state === 'refused' && (
        <div class={ui.notice} id="review">
          <p>{words.refused}</p>
          <p class={styles.reason}>{review.reason}</p>
        </div>
      )}
      <p>
        <button
          type="button"
          class={isWaiting ? ui.quietButton : ui.button}
          disabled={isBusy}
          onClick={() => void run()}
        >
          {isWaiting ? words.takeBack : words.publish}
        </button>
      </p>
      {!isWaiting && <RewriteForm {...{ text, write, isWritten, keep }} />}
    </section>
  );
}

type DraftText = Pick<Article, 'title' | 'body'>;

function RewriteForm({
  text: { title, body },
  write,
  isWritten,
  keep,
}: {
  text: DraftText;
  write: (text: DraftText) => void;
  isWritten: boolean;
  keep: () => Promise<void>;
}) {
  const { articles: words, write: ofWriting } = messages.value;
  const [wasWritten] = useState(isWritten);
  const { isBusy, run } = useClick(async () => {
    await keep();
    show({ text: words.rewritten, tone: 'none' });
  });
  return (
    <details class={ui.card} open={wasWritten}>
      <summary>{words.rewrite}</summary>
      <form
        class={classes(form.form, styles.rewrite)}
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <label>
          <span>{ofWriting.heading}</span>
          <input
            name="title"
            required
            maxLength={200}
            value={title}
            onInput={({ currentTarget }) => write({ title: currentTarget.value, body })}
          />
        </label>
        <label>
          <span>{ofWriting.body}</span>
          <textarea
            name="body"
            required
            rows={12}
            maxLength={50_000}
            value={body}
            onInput={({ currentTarget }) => write({ title, body: currentTarget.value })}
          />
        </label>
        <button type="submit" class={ui.button} disabled={isBusy}>
          {words.keepRewritten}
        </button>
      </form>
    </details>
  );
}
