import { MonthPanel } from '../board/month-panel';
import { formatDate } from '../language/format';
import { messages } from '../language/language';
import { useVisit } from '../points/use-visit';
import { ownId } from '../session/session';
import { Avatar } from '../ui/avatar';
import { FaultNotice } from '../ui/fault-notice';
import { usePageTitle } from '../ui/use-page-title';
import { type Article, articleQuery, type ChangeArticle, react } from './articles';
import { CategoryLink } from './category-link';
import { Comments } from './comments';
import { FollowToggle } from '../follows/follow-toggle';
import { OwnDraft } from './own-draft';
import { Paragraphs } from './paragraphs';
import { Toggle } from '../ui/toggle';
import { useClick } from '../points/use-click';
import { pathOf } from '../addresses/pages';
import ui from '../ui/pieces.module.css';
import facts from '../ui/facts.module.css';
import reading from './reading.module.css';
import styles from './article-page.module.css';

/** An article, what others said to it, and what a reader can do. */
export function ArticlePage({ id = '' }: { id?: string }) {
  const { articles: words } = messages.value;
  const { value: article, fault, change, again } = useVisit((isTold) => articleQuery(id, isTold));
  usePageTitle(article?.title ?? words.title);
  return (
    <div class={ui.beside}>
      <div class={reading.reading}>
        <p>
          <a class={styles.back} href={pathOf('articles')}>
            {words.back}
          </a>
        </p>
        {fault && <FaultNotice fault={fault} again={again} />}
        {!article && !fault && <p class={ui.quiet}>{words.loading}</p>}
        {article && (
          <>
            <article class={styles.article}>
              <CategoryLink category={article.category} />
              <h1>{article.title}</h1>
              <p class={facts.byline}>
                <Avatar name={article.author.name} url={article.author.avatarUrl} size={40} />
                <a class={ui.name} href={pathOf('person', article.author.id)}>
                  {article.author.name}
                </a>
                <time dateTime={article.publishedAt ?? article.createdAt}>
                  {article.publishedAt === null ? words.draft : formatDate(article.publishedAt)}
                </time>
              </p>
              <Paragraphs text={article.body} />
            </article>
            {article.publishedAt === null ? (
              <OwnDraft article={article} changed={(next) => change(() => next)} />
            ) : (
              <>
                <Reactions article={article} change={change} />
                <Comments article={article} change={change} />
              </>
            )}
          </>
        )}
      </div>
      <MonthPanel />
    </div>
  );
}

const nothingDone = { praised: false, collected: false, followsAuthor: false };

function Reactions({ article, change }: { article: Article; change: ChangeArticle }) {
  const { articles: words } = messages.value;
  const viewer = article.viewer ?? nothingDone;
  const praise = useClick(() => react(article.id, 'praise', !viewer.praised));
  const collect = useClick(() => react(article.id, 'collect', !viewer.collected));
  // Another click may have been answered since this was drawn.
  const done = (next: (article: Article, before: typeof nothingDone) => Partial<Article>) =>
    change((now) => ({ ...now, ...next(now, now.viewer ?? nothingDone) }));
  const by = (isOn: boolean) => (isOn ? 1 : -1);
  return (
    <div class={styles.reactions}>
      <Toggle
        icon="heart"
        isOn={viewer.praised}
        isBusy={praise.isBusy}
        label={`${viewer.praised ? words.praised : words.praise} · ${article.praises}`}
        toggle={() =>
          void praise.run().then((isDone) => {
            const praised = !viewer.praised;
            if (isDone) done((now, before) => ({ praises: now.praises + by(praised), viewer: { ...before, praised } }));
          })
        }
      />
      <Toggle
        icon="bookmark"
        isOn={viewer.collected}
        isBusy={collect.isBusy}
        label={`${viewer.collected ? words.collected : words.collect} · ${article.collects}`}
        toggle={() =>
          void collect.run().then((isDone) => {
            const collected = !viewer.collected;
            if (isDone)
              done((now, before) => ({ collects: now.collects + by(collected), viewer: { ...before, collected } }));
          })
        }
      />
      {article.author.id !== ownId.value && (
        <FollowToggle
          person={article.author}
          isOn={viewer.followsAuthor}
          changed={(followsAuthor) => done((_, before) => ({ viewer: { ...before, followsAuthor } }))}
        />
      )}
    </div>
  );
}
