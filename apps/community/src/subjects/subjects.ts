/** The name of an article as the subject of activities. */
export const subjectOfArticle = (articleId: string): string => `article:${articleId}`;

/** The name of a user as the subject of activities, by which the module knows the user. */
export const subjectOfUser = (userId: string): string => `user:${userId}`;
