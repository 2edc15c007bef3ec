import { ask, withQuery } from '../http/ask';
import { pathOf } from '../http/path-of';
import type { Category } from '../language/categories';
import type { ClickOutcome, ReadOptions, WithOutcome } from '../points/outcomes';

/** A user, as other users see them. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly avatarUrl: string;
}

/** An article, as lists show it. */
export interface ArticleSummary {
  readonly id: string;
  readonly title: string;
  readonly category: Category;
  readonly author: Person;
  readonly createdAt: string;
  /** Null: a draft. */
  readonly publishedAt: string | null;
  /** How far the review of one's own draft is; null where it was never handed in. */
  readonly review: { readonly state: 'waiting' | 'approved' | 'refused'; readonly reason: string | null } | null;
  readonly praises: number;
  readonly collects: number;
  readonly comments: number;
}

/** What somebody said to an article. */
export interface Comment {
  readonly id: string;
  readonly body: string;
  readonly author: Person;
  readonly createdAt: string;
}

/** An article's page. */
export interface Article extends ArticleSummary {
  readonly body: string;
  readonly latestComments: readonly Comment[];
  /** Where the comments behind them begin; null: there are no others. */
  readonly olderComments: string | null;
  /** What the reader did already; null where nobody is signed in. */
  readonly viewer: { readonly praised: boolean; readonly collected: boolean; readonly followsAuthor: boolean } | null;
}

/** Changes what is shown of an article, from what is shown by then. */
export type ChangeArticle = (next: (before: Article) => Article) => void;

/** A page of articles. */
export interface ArticleList {
  readonly articles: readonly ArticleSummary[];
  readonly next: string | null;
}

/** Which articles: those that are online, or one's own drafts; of all categories where none is named. */
export interface ArticleWish {
  readonly state: 'published' | 'draft';
  readonly category?: Category | undefined;
  readonly cursor?: string;
}

/** Articles, the newest first. */
export function readArticles({ state, category, cursor }: ArticleWish, signal?: AbortSignal): Promise<ArticleList> {
  return ask('GET', withQuery('/articles', { state, category, cursor, limit: 12 }), signal ? { signal } : {});
}

/** A list with the page behind it; as it is where it goes on elsewhere by now. */
export function withMore(cursor: string, { articles, next }: ArticleList): (before: ArticleList) => ArticleList {
  return (before) => (before.next === cursor ? { articles: [...before.articles, ...articles], next } : before);
}

/** An article; reading it is worth a view, of which the answer tells where it is asked. */
export function readArticle(id: string, { isTold, signal }: ReadOptions): Promise<Article & WithOutcome> {
  const path = withQuery(pathOf`/articles/${id}`, { outcome: isTold || undefined });
  return ask('GET', path, { signal });
}

/** Writes a draft. */
export function writeDraft(draft: Pick<Article, 'title' | 'category' | 'body'>): Promise<Article> {
  return ask('POST', '/articles', { body: draft });
}

/** Rewrites a draft. */
export function rewriteDraft(id: string, text: Pick<Article, 'title' | 'body'>): Promise<Article> {
  return ask('PUT', pathOf`/articles/${id}`, { body: text });
}

/** An article that was put online or handed in; without an outcome where it waits for its review. */
export interface Publication {
  readonly article: Article;
  readonly outcome?: ClickOutcome;
}

/** Puts a draft online, or hands it in where articles are reviewed. */
export async function publish(id: string): Promise<Publication> {
  const article = await ask<Article & WithOutcome>('POST', pathOf`/articles/${id}/publish?outcome=true`);
  return article.publishedAt === null ? { article } : { article, outcome: outcomeOf(article) };
}

/** Takes back what waits for its review. */
export async function takeBack(id: string): Promise<Publication> {
  return { article: await ask<Article>('DELETE', pathOf`/articles/${id}/publish`) };
}

/** Praises or collects an article, or takes that back. */
export async function react(id: string, kind: 'praise' | 'collect', isOn: boolean): Promise<ClickOutcome> {
  return outcomeOf(
    await ask<WithOutcome | undefined>(isOn ? 'PUT' : 'DELETE', pathOf`/articles/${id}/${kind}?outcome=true`),
  );
}

/** Follows somebody, or no longer. */
export async function follow(userId: string, isOn: boolean): Promise<ClickOutcome> {
  return outcomeOf(
    await ask<WithOutcome | undefined>(isOn ? 'PUT' : 'DELETE', pathOf`/users/${userId}/follow?outcome=true`),
  );
}

/** Says something to an article. */
export async function comment(id: string, body: string): Promise<{ comment: Comment; outcome: ClickOutcome }> {
  const said = await ask<Comment & WithOutcome>('POST', pathOf`/articles/${id}/comments?outcome=true`, {
    body: { body },
  });
  return { comment: said, outcome: outcomeOf(said) };
}

/** The comments behind those that are shown. */
export async function readOlderComments(id: string, cursor: string): Promise<(before: Article) => Article> {
  const path = withQuery(pathOf`/articles/${id}/comments`, { cursor, limit: 50 });
  const { comments, next } = await ask<{ comments: readonly Comment[]; next: string | null }>('GET', path);
  return (before) =>
    before.olderComments === cursor
      ? { ...before, latestComments: [...before.latestComments, ...comments], olderComments: next }
      : before;
}

/** Takes back what one said. */
export async function deleteComment(id: string): Promise<ClickOutcome> {
  return outcomeOf(await ask<WithOutcome | undefined>('DELETE', pathOf`/comments/${id}?outcome=true`));
}

function outcomeOf(answer: WithOutcome | undefined): ClickOutcome {
  return answer?.outcome ?? null;
}
