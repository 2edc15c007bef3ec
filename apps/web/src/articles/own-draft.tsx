import { useState } from 'preact/hooks';
import { messages } from '../language/language';
import { show } from '../points/gains';
import { type Article, publish, rewriteDraft, takeBack } from './articles';
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
  const { isBusy, run } = useClick(async () => {
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
      {!isWaiting && <RewriteForm key={article.id} article={article} changed={changed} />}
    </section>
  );
}

function RewriteForm({ article, changed }: { article: Article; changed: (article: Article) => void }) {
  const { articles: words, write } = messages.value;
  const [{ title, body }, setText] = useState({ title: article.title, body: article.body });
  const { isBusy, run } = useClick(async () => {
    changed(await rewriteDraft(article.id, { title, body }));
    show({ text: words.rewritten, tone: 'none' });
  });
  return (
    <details class={ui.card}>
      <summary>{words.rewrite}</summary>
      <form
        class={classes(form.form, styles.rewrite)}
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <label>
          <span>{write.heading}</span>
          <input
            name="title"
            required
            maxLength={200}
            value={title}
            onInput={({ currentTarget }) => setText({ title: currentTarget.value, body })}
          />
        </label>
        <label>
          <span>{write.body}</span>
          <textarea
            name="body"
            required
            rows={12}
            maxLength={50_000}
            value={body}
            onInput={({ currentTarget }) => setText({ title, body: currentTarget.value })}
          />
        </label>
        <button type="submit" class={ui.button} disabled={isBusy}>
          {words.keepRewritten}
        </button>
      </form>
    </details>
  );
}
