import { identifierFault, maxUserIdBytes } from '../activity/activity';
import { object, readBody, type Schema } from '../schema/schema';

/** The longest name of an operator, and the longest note, in bytes of UTF-8. */
export const maxOperatorBytes = 128;
export const maxNoteBytes = 512;

/** A text of at most so many bytes of UTF-8. */
export function identifier(maxBytes: number): Schema<string> {
  return (given, place) => {
    const message = identifierFault(given, maxBytes);
    return message === null ? (given as string) : place.fault(message);
  };
}

const user = object({ userId: identifier(maxUserIdBytes) });

/** @throws ActivityError `invalidQuery` */
export function assertUserId(userId: string): void {
  readBody(user, { userId }, 'invalidQuery');
}
