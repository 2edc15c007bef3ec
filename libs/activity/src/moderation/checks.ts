import type { Type } from '@nestjs/common';
import { identifierFault, maxUserIdBytes } from '../core/activity/activity';
import { faultsError } from '../core/errors/errors';
import { schemaOf } from '../core/http/validation';
import { type EntriesOf, readingOf, type Schema } from '../core/schema/schema';

/** A text of at most so many bytes of UTF-8. */
export function identifier(maxBytes: number): Schema<string> {
  return (given, place) => {
    const message = identifierFault(given, maxBytes);
    return message === null ? (given as string) : place.fault(message);
  };
}

/** The id of a user, the name of an operator, and a note. */
export const user = identifier(maxUserIdBytes);
export const operator = identifier(128);
export const note = identifier(512);

/**
 * Reads a DTO, from a request or from the app alike; `others` are schemas of fields that need more than their own.
 * @throws ActivityError with this code and the path of each fault.
 */
export function readBody<Dto extends object>(
  dto: Type<Dto>,
  given: unknown,
  others: Partial<EntriesOf<Dto>> = {},
  code: 'invalidAdjustment' | 'invalidQuery' = 'invalidQuery',
): Dto {
  const reading = readingOf(schemaOf(dto, others), given, '', 'body');
  if ('faults' in reading) throw faultsError(code, reading.faults);
  return reading.output;
}
