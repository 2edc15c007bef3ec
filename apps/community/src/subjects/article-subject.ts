/** What an article is called as the subject of activities. */
export function subjectOfArticle(articleId: string): string {
  return `article:${articleId}`;
}
