import { messages } from '../language/language';
import type { Loaded } from '../resource/use-resource';
import { ArticleList } from './article-list';
import { type ArticleList as Articles, articlesQuery } from './articles';

/** The user's drafts, the newest first. */
export function DraftList({ drafts }: { drafts: Loaded<Articles> }) {
  const { write: words } = messages.value;
  return (
    <section aria-labelledby="drafts-title">
      <h2 id="drafts-title">{words.drafts}</h2>
      <ArticleList
        list={drafts}
        read={(cursor) => articlesQuery({ state: 'draft', cursor }).read()}
        empty={words.noDrafts}
        more={words.moreDrafts}
      />
    </section>
  );
}
