import { formatDate } from '../language/format';
import { messages } from '../language/language';
import { Avatar } from '../ui/avatar';
import { Chip } from '../ui/title-chip';
import type { ArticleSummary } from './articles';
import { CategoryLink } from './category-link';
import { pathOf } from '../addresses/pages';
import ui from '../ui/pieces.module.css';
import facts from '../ui/facts.module.css';
import styles from './article-line.module.css';

/** An article in a list. */
export function ArticleLine({ article }: { article: ArticleSummary }) {
  const { id, title, category, author, publishedAt, createdAt } = article;
  return (
    <li class={styles.line} data-article={id}>
      <CategoryLink category={category} />
      <h2>
        <a href={pathOf('article', id)}>{title}</a>
      </h2>
      <p class={facts.byline}>
        <Avatar name={author.name} url={author.avatarUrl} size={32} />
        <a class={ui.name} href={pathOf('person', author.id)}>
          {author.name}
        </a>
        <time dateTime={publishedAt ?? createdAt}>{formatDate(publishedAt ?? createdAt)}</time>
      </p>
      {publishedAt === null ? <DraftChip article={article} /> : <ArticleCounts article={article} />}
    </li>
  );
}

function DraftChip({ article: { review } }: { article: ArticleSummary }) {
  const { articles } = messages.value;
  const states = { waiting: articles.inReview, refused: articles.sentBack, approved: articles.draft };
  return <Chip>{review === null ? articles.draft : states[review.state]}</Chip>;
}

/** How often an article was praised, collected and commented on. */
export function ArticleCounts({ article: { praises, collects, comments } }: { article: ArticleSummary }) {
  const { articles } = messages.value;
  return (
    <p class={facts.counts}>
      <span>{articles.praises(praises)}</span>
      <span>{articles.collects(collects)}</span>
      <span>{articles.comments(comments)}</span>
    </p>
  );
}
