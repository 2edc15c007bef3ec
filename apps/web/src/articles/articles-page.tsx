import { useLocation } from 'preact-iso';
import { useCallback } from 'preact/hooks';
import { withQuery } from '../http/ask';
import { isCategory } from '../language/categories';
import { messages } from '../language/language';
import '../styles/forms.css';
import '../styles/articles.css';
import { CategoryChoice } from '../ui/category-choice';
import { FaultNotice } from '../ui/fault-notice';
import { useLoaded } from '../ui/use-loaded';
import { usePageTitle } from '../ui/use-page-title';
import { ArticleLine } from './article-line';
import { readArticles, withMore } from './articles';
import { MoreButton } from './more-button';

/** What the community wrote, the newest first. */
export function ArticlesPage() {
  const { articles: words, nav, categoryNames, category: ofCategory } = messages.value;
  const { query } = useLocation();
  const category = isCategory(query.category) ? query.category : undefined;
  const read = useCallback((signal: AbortSignal) => readArticles({ state: 'published', category }, signal), [category]);
  const { value, fault, change, again } = useLoaded(read);
  usePageTitle(category === undefined ? words.title : `${words.title} · ${categoryNames[category]}`);

  const next = value?.next;
  return (
    <div class="reading">
      <div class="reading-head">
        <h1>{words.title}</h1>
        <p class="quiet">{words.intro}</p>
        <a class="button" href="/write">
          {nav.write}
        </a>
      </div>
      <CategoryChoice chosen={category} pathTo={(chosen) => withQuery('/read', { category: chosen })} />
      {fault && <FaultNotice fault={fault} again={again} />}
      {!value && !fault && <p class="quiet">{words.loading}</p>}
      {value?.articles.length === 0 && (
        <p class="quiet">{category === undefined ? words.empty : ofCategory.noArticles(categoryNames[category])}</p>
      )}
      <ul class="article-list">
        {value?.articles.map((article) => (
          <ArticleLine key={article.id} article={article} />
        ))}
      </ul>
      {next && (
        <MoreButton
          label={words.more}
          more={async () => change(withMore(next, await readArticles({ state: 'published', category, cursor: next })))}
        />
      )}
    </div>
  );
}
