/** What a user is called as the subject of activities: the module knows by it whom it is about. */
export function subjectOfUser(userId: string): string {
  return `user:${userId}`;
}
