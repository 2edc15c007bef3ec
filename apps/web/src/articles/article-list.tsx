import type { Loaded } from '../resource/use-resource';
import { FaultNotice } from '../ui/fault-notice';
import { ArticleLine } from './article-line';
import { type ArticleList as Articles, type ArticleSummary, withMore } from './articles';
import { MoreButton } from './more-button';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';
import styles from './article-list.module.css';

/** The properties of a list of articles. */
export interface ArticleListOptions {
  readonly list: Loaded<Articles>;
  /** Reads the page behind the cursor. */
  readonly read: (cursor: string) => Promise<Articles>;
  /** Said if there are none. */
  readonly empty: string;
  readonly more: string;
}

/** Articles, one below the other. */
export function ArticleLines({
  articles,
  class: className,
}: {
  articles: readonly ArticleSummary[];
  class?: string | undefined;
}) {
  return (
    <ul class={classes(styles.lines, className)}>
      {articles.map((article) => (
        <ArticleLine key={article.id} article={article} />
      ))}
    </ul>
  );
}

/** Articles, a page at a time. */
export function ArticleList({ list: { value, fault, change, again }, read, empty, more }: ArticleListOptions) {
  const next = value?.next;
  return (
    <>
      {fault && <FaultNotice fault={fault} again={again} />}
      {value?.articles.length === 0 && (
        <p class={classes(ui.quiet, styles.empty)} data-nothing>
          {empty}
        </p>
      )}
      <ArticleLines class={styles.below} articles={value?.articles ?? []} />
      {next && <MoreButton label={more} more={async () => change(withMore(next, await read(next)))} />}
    </>
  );
}
