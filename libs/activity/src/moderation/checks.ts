import type { Type } from '@nestjs/common';
import { maxUserIdBytes } from '../core/activity/activity';
import { identifier } from '../core/activity/checks';
import { faultsError } from '../core/errors/errors';
import { schemaOf } from '../core/http/validation';
import { type EntriesOf, readingOf } from '../core/schema/schema';

export { identifier };
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
