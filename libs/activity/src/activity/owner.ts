import { identifierFault, maxUserIdBytes } from './identifier';
import type { ActivityChange } from './activity';

/** What the subjects that are users begin with: `user:42`, of a follow. */
const userSubjectPrefix = 'user:';

/** The owner of an activity's subject: the owner that it names; if the subject is a user, that user. */
export function ownerOf({ ownerId, subject }: Pick<ActivityChange, 'ownerId' | 'subject'>): string | null {
  return ownerId ?? userIn(subject);
}

/** What a user is as a subject. */
export function subjectOfUser(userId: string): string {
  return userSubjectPrefix + userId;
}

/** The user that a subject is; null: it is none. */
export function userIn(subject: string): string | null {
  if (!subject.startsWith(userSubjectPrefix)) return null;
  const userId = subject.slice(userSubjectPrefix.length);
  return identifierFault(userId, maxUserIdBytes) === null ? userId : null;
}
