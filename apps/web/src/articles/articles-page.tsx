import { useLocation } from 'preact-iso';
import { useCallback, useState } from 'preact/hooks';
import { asApiError } from '../http/api-error';
import { withQuery } from '../http/ask';
import { isCategory } from '../language/categories';
import { messages } from '../language/language';
import { showFault } from '../points/gains';
import '../styles/forms.css';
import '../styles/articles.css';
import { CategoryChoice } from '../ui/category-choice';
import { FaultNotice } from '../ui/fault-notice';
import { useLoaded } from '../ui/use-loaded';
import { usePageTitle } from '../ui/use-page-title';
import { ArticleLine } from './article-line';
import { readArticles } from './articles';

/** What the community wrote, the newest first. */
export function ArticlesPage() {
  const { articles: words, nav, categoryNames, category: ofCategory } = messages.value;
  const { query } = useLocation();
  const category = isCategory(query.category) ? query.category : undefined;
  const read = useCallback((signal: AbortSignal) => readArticles({ state: 'published', category }, signal), [category]);
  const { value, fault, change, again } = useLoaded(read);
  const [isBusy, setIsBusy] = useState(false);
  usePageTitle(category === undefined ? words.title : `${words.title} · ${categoryNames[category]}`);

  async function readMore(cursor: string): Promise<void> {
    setIsBusy(true);
    try {
      const { articles, next } = await readArticles({ state: 'published', category, cursor });
      change((before) => ({ articles: [...before.articles, ...articles], next }));
    } catch (error) {
      showFault(asApiError(error));
    }
    setIsBusy(false);
  }

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
        <button type="button" class="more" disabled={isBusy} onClick={() => void readMore(next)}>
          {words.more}
        </button>
      )}
    </div>
  );
}
