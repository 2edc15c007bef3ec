import { useCallback, useState } from 'preact/hooks';
import { asApiError } from '../http/api-error';
import { messages } from '../language/language';
import { showFault } from '../points/gains';
import '../styles/forms.css';
import '../styles/articles.css';
import { FaultNotice } from '../ui/fault-notice';
import { useLoaded } from '../ui/use-loaded';
import { usePageTitle } from '../ui/use-page-title';
import { ArticleLine } from './article-line';
import { readArticles } from './articles';

/** What the community wrote, the newest first. */
export function ArticlesPage() {
  const { articles: words, nav } = messages.value;
  const read = useCallback((signal: AbortSignal) => readArticles('published', undefined, signal), []);
  const { value, fault, set, again } = useLoaded(read);
  const [isBusy, setIsBusy] = useState(false);
  usePageTitle(words.title);

  async function readMore(cursor: string): Promise<void> {
    setIsBusy(true);
    try {
      const { articles, next } = await readArticles('published', cursor);
      set({ articles: [...(value?.articles ?? []), ...articles], next });
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
      {fault && <FaultNotice fault={fault} again={again} />}
      {!value && !fault && <p class="quiet">{words.loading}</p>}
      {value?.articles.length === 0 && <p class="quiet">{words.empty}</p>}
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
