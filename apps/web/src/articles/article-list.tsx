import type { Loaded } from '../resource/use-resource';
import { FaultNotice } from '../ui/fault-notice';
import { ArticleLine } from './article-line';
import { type ArticleList as Articles, withMore } from './articles';
import { MoreButton } from './more-button';

/** What a list of articles is made of. */
export interface ArticleListOptions {
  readonly list: Loaded<Articles>;
  /** Reads the page behind the cursor. */
  readonly read: (cursor: string) => Promise<Articles>;
  /** Said if there are none. */
  readonly empty: string;
  readonly more: string;
}

/** Articles, a page at a time. */
export function ArticleList({ list: { value, fault, change, again }, read, empty, more }: ArticleListOptions) {
  const next = value?.next;
  return (
    <>
      {fault && <FaultNotice fault={fault} again={again} />}
      {value?.articles.length === 0 && (
        <p class="quiet" data-nothing>
          {empty}
        </p>
      )}
      <ul class="article-list">
        {value?.articles.map((article) => (
          <ArticleLine key={article.id} article={article} />
        ))}
      </ul>
      {next && <MoreButton label={more} more={async () => change(withMore(next, await read(next)))} />}
    </>
  );
}
