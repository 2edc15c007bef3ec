/** What an article is called as the subject of activities. */
export const subjectOfArticle = (articleId: string): string => `article:${articleId}`;

/** What a user is called as the subject of activities: the module knows by it whom it is about. */
export const subjectOfUser = (userId: string): string => `user:${userId}`;
