import { identifierFault, maxUserIdBytes } from '../core/activity/activity';
import { faultsError } from '../core/errors/errors';
import { object, readingOf, type Schema } from '../core/schema/schema';

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

/**
 * Reads what comes in a request, or from an app as if it did.
 * @throws ActivityError with this code and the path of each fault.
 */
export function readBody<Output>(
  schema: Schema<Output>,
  given: unknown,
  code: 'invalidAdjustment' | 'invalidQuery',
): Output {
  const reading = readingOf(schema, given, '', 'body');
  if ('faults' in reading) throw faultsError(code, reading.faults);
  return reading.output;
}
