import { useState } from 'preact/hooks';
import type { ApiError } from '../http/api-error';
import { formatMoment } from '../language/format';
import { messages } from '../language/language';
import { ownId } from '../session/session';
import { Avatar } from '../ui/avatar';
import { FaultNotice } from '../ui/fault-notice';
import { type Article, type ChangeArticle, comment, type Comment, deleteComment, readOlderComments } from './articles';
import { useKeptText } from '../session/kept-text';
import { MoreButton } from './more-button';
import { useClick } from '../points/use-click';
import { pathOf } from '../addresses/pages';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';
import form from '../ui/form.module.css';
import facts from '../ui/facts.module.css';
import styles from './comments.module.css';

/** An article's comments, the newest first, and a field for another. */
export function Comments({ article, change }: { article: Article; change: ChangeArticle }) {
  const { articles: words } = messages.value;
  const { text, write, sent } = useKeptText(`comment on ${article.id}`, '');
  const [fault, setFault] = useState<ApiError | null>(null);
  const { latestComments, olderComments } = article;
  const say = async () => {
    const { comment: said, outcome } = await comment(article.id, text);
    change((before) => ({
      ...before,
      comments: before.comments + 1,
      latestComments: [said, ...before.latestComments],
    }));
    sent();
    return outcome;
  };
  const { isBusy, run } = useClick(say, { hearFault: setFault });
  const gone = (id: string) =>
    change((before) => ({
      ...before,
      comments: before.comments - 1,
      latestComments: before.latestComments.filter((one) => one.id !== id),
    }));
  return (
    <section class={styles.comments} aria-labelledby="comments-title">
      <h2 id="comments-title">{words.commentsTitle}</h2>
      <form
        class={form.form}
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <label>
          <span>{words.comment}</span>
          <textarea
            name="comment"
            rows={3}
            required
            maxLength={2_000}
            value={text}
            onInput={({ currentTarget }) => write(currentTarget.value)}
          />
        </label>
        {fault && <FaultNotice fault={fault} />}
        <button type="submit" class={ui.button} disabled={isBusy}>
          {words.commentAction}
        </button>
      </form>
      {latestComments.length === 0 && <p class={ui.quiet}>{words.noComments}</p>}
      <ul>
        {latestComments.map((one) => (
          <CommentLine key={one.id} comment={one} gone={() => gone(one.id)} />
        ))}
      </ul>
      {olderComments !== null && (
        <MoreButton
          label={words.moreComments}
          more={async () => change(await readOlderComments(article.id, olderComments))}
        />
      )}
    </section>
  );
}

function CommentLine({ comment: { id, author, body, createdAt }, gone }: { comment: Comment; gone: () => void }) {
  const { articles: words, gain } = messages.value;
  const { isBusy, run } = useClick(() => deleteComment(id), { unchanged: gain.otherComment });
  return (
    <li class={styles.comment} data-comment={id}>
      <p class={facts.byline}>
        <Avatar name={author.name} url={author.avatarUrl} size={32} />
        <a class={ui.name} href={pathOf('person', author.id)}>
          {author.name}
        </a>
        <time dateTime={createdAt}>{formatMoment(createdAt)}</time>
        {author.id === ownId.value && (
          <button
            type="button"
            class={classes(ui.quietButton, ui.small, styles.delete)}
            aria-label={words.deleteCommentOf(body.slice(0, 40))}
            disabled={isBusy}
            onClick={() => void run().then((isDone) => isDone && gone())}
          >
            {words.deleteComment}
          </button>
        )}
      </p>
      <p class={styles.text}>{body}</p>
    </li>
  );
}
