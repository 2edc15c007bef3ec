import { messages } from '../language/language';
import { FaultNotice } from '../ui/fault-notice';
import type { Loaded } from '../ui/use-loaded';
import { ArticleLine } from './article-line';
import { type ArticleList, readArticles, withMore } from './articles';
import { MoreButton } from './more-button';

/** One's drafts, the newest first. */
export function DraftList({ drafts: { value, fault, change, again } }: { drafts: Loaded<ArticleList> }) {
  const { write: words } = messages.value;
  const next = value?.next;
  return (
    <section aria-labelledby="drafts-title">
      <h2 id="drafts-title">{words.drafts}</h2>
      {fault && <FaultNotice fault={fault} again={again} />}
      {value?.articles.length === 0 && <p class="quiet">{words.noDrafts}</p>}
      <ul class="article-list">
        {value?.articles.map((article) => (
          <ArticleLine key={article.id} article={article} />
        ))}
      </ul>
      {next && (
        <MoreButton
          label={words.moreDrafts}
          more={async () => change(withMore(next, await readArticles({ state: 'draft', cursor: next })))}
        />
      )}
    </section>
  );
}
