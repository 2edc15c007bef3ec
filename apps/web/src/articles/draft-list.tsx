import { messages } from '../language/language';
import type { Loaded } from '../ui/use-loaded';
import { ArticleList } from './article-list';
import { type ArticleList as Articles, readArticles } from './articles';

/** The user's drafts, the newest first. */
export function DraftList({ drafts }: { drafts: Loaded<Articles> }) {
  const { write: words } = messages.value;
  return (
    <section aria-labelledby="drafts-title">
      <h2 id="drafts-title">{words.drafts}</h2>
      <ArticleList
        list={drafts}
        read={(cursor) => readArticles({ state: 'draft', cursor })}
        empty={words.noDrafts}
        more={words.moreDrafts}
      />
    </section>
  );
}
