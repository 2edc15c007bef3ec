import { ApiHeader } from '../core/peers/decorators';
import { ActivityError } from '../core/errors/errors';

/**
 * The revision that an `If-Match` names; null: it names none, or `*`. A proxy that compressed the answer has made a
 * weak tag of it.
 * @throws ActivityError `invalidQuery` where it is no tag of the rules.
 */
export function expectedRevision(header: string | undefined): number | null {
  if (header === undefined || header.trim() === '*') return null;
  const [, digits] = /^\s*(?:W\/)?"(\d{1,15})"\s*$/.exec(header) ?? [];
  if (digits !== undefined) return Number(digits);
  const message = 'must be the ETag of GET /activity/rules, such as "3", or *';
  throw new ActivityError('invalidQuery', `If-Match ${message}.`, { faults: [{ path: 'If-Match', message }] });
}

/** Documents the precondition. */
export function ApiExpectsRevision(): MethodDecorator {
  const description = 'The ETag of the rules that you have read: 412 if others are in force by now.';
  return ApiHeader({ name: 'If-Match', required: false, description });
}
