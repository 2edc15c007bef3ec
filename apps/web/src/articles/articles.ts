import type {
  ArticleDraft,
  ArticleList,
  ArticlePage,
  ArticleText,
  ArticleWithOutcome,
  CommentView,
} from '../contract/api.generated';
import { answerOf, api, given } from '../http/api';
import { type Query, queryOf } from '../http/query';
import type { Category } from '../language/categories';
import type { ClickOutcome, WithOutcome } from '../points/outcomes';

/** Articles and what people say of them, as the server has them. */
export type {
  ArticleList,
  ArticlePage as Article,
  ArticleSummary,
  CommentView as Comment,
} from '../contract/api.generated';

/** Changes what is shown of an article, from what is shown by then. */
export type ChangeArticle = (next: (before: ArticlePage) => ArticlePage) => void;

/** Which articles: those that are online, or one's own drafts; of all categories where none is named. */
export interface ArticleWish {
  readonly state: 'published' | 'draft';
  readonly category?: Category | undefined;
  readonly cursor?: string;
}

/** Articles, the newest first. */
export function articlesQuery({ state, category, cursor }: ArticleWish): Query<ArticleList> {
  const query = given({ state, category, cursor, limit: 12 });
  return queryOf('/articles', { params: { query } });
}

/** A list with the page behind it; as it is where it goes on elsewhere by now. */
export function withMore(cursor: string, { articles, next }: ArticleList): (before: ArticleList) => ArticleList {
  return (before) => (before.next === cursor ? { articles: [...before.articles, ...articles], next } : before);
}

/** An article; reading it is worth a view, of which the answer tells where it is asked. */
export function articleQuery(id: string, isTold: boolean): Query<ArticleWithOutcome> {
  const query = given({ outcome: isTold || undefined });
  return queryOf('/articles/{id}', { params: { path: { id }, query } });
}

/** Writes a draft. */
export function writeDraft(body: ArticleDraft): Promise<ArticlePage> {
  return answerOf(api.POST('/articles', { body }));
}

/** Rewrites a draft. */
export function rewriteDraft(id: string, body: ArticleText): Promise<ArticlePage> {
  return answerOf(api.PUT('/articles/{id}', { params: { path: { id } }, body }));
}

/** An article that was put online or handed in; without an outcome where it waits for its review. */
export interface Publication {
  readonly article: ArticlePage;
  readonly outcome?: ClickOutcome;
}

/** A request for one thing, which tells what it gave. */
const told = (id: string) => ({ params: { path: { id }, query: { outcome: true } } });

/** Puts a draft online, or hands it in where articles are reviewed. */
export async function publish(id: string): Promise<Publication> {
  const article = await answerOf(api.POST('/articles/{id}/publish', told(id)));
  return article.publishedAt === null ? { article } : { article, outcome: outcomeOf(article) };
}

/** Takes back what waits for its review. */
export async function takeBack(id: string): Promise<Publication> {
  return { article: await answerOf(api.DELETE('/articles/{id}/publish', { params: { path: { id } } })) };
}

/** Praises or collects an article, or takes that back. */
export async function react(id: string, kind: 'praise' | 'collect', isOn: boolean): Promise<ClickOutcome> {
  const path = `/articles/{id}/${kind}` as const;
  return outcomeOf(await answerOf(isOn ? api.PUT(path, told(id)) : api.DELETE(path, told(id))));
}

/** Says something to an article. */
export async function comment(id: string, body: string): Promise<{ comment: CommentView; outcome: ClickOutcome }> {
  const said = await answerOf(api.POST('/articles/{id}/comments', { ...told(id), body: { body } }));
  return { comment: said, outcome: outcomeOf(said) };
}

/** The comments behind those that are shown. */
export async function readOlderComments(id: string, cursor: string): Promise<(before: ArticlePage) => ArticlePage> {
  const params = { path: { id }, query: { cursor, limit: 50 } };
  const { comments, next } = await answerOf(api.GET('/articles/{id}/comments', { params }));
  return (before) =>
    before.olderComments === cursor
      ? { ...before, latestComments: [...before.latestComments, ...comments], olderComments: next }
      : before;
}

/** Takes back what one said. */
export async function deleteComment(id: string): Promise<ClickOutcome> {
  return outcomeOf(await answerOf(api.DELETE('/comments/{id}', told(id))));
}

function outcomeOf(answer: WithOutcome | undefined): ClickOutcome {
  return answer?.outcome ?? null;
}
