import type * as ajv from 'ajv';
import type { ErrorObject, JSONSchemaType, ValidateFunction } from 'ajv';
import { faultsError, type Fault } from '../errors/errors';
import type { ActivityChange } from '../activity/activity';

/** The most events in one request. */
export const maxEvents = 1_000;

interface EventBody {
  readonly userId: string;
  readonly action: string;
  readonly subject: string;
  readonly occurredAt?: string | null;
  readonly revoke?: boolean | null;
  readonly grantedAt?: string | null;
  readonly sequence?: number | null;
  readonly ownerId?: string | null;
  readonly partitions?: Readonly<Record<string, string>> | null;
}

interface EventsBody {
  readonly events: readonly EventBody[];
}

const moment = {
  type: 'string',
  nullable: true,
  maxLength: 40,
  format: 'moment',
  description: 'RFC 3339, with an offset. Default: now.',
} as const;

/** The body of `POST /activity/events`; also its description in the OpenAPI document. */
export const eventsBodySchema: JSONSchemaType<EventsBody> = {
  type: 'object',
  required: ['events'],
  additionalProperties: false,
  properties: {
    events: {
      type: 'array',
      minItems: 1,
      maxItems: maxEvents,
      items: {
        type: 'object',
        required: ['userId', 'action', 'subject'],
        additionalProperties: false,
        properties: {
          userId: { type: 'string' },
          action: { type: 'string' },
          subject: { type: 'string' },
          occurredAt: moment,
          revoke: { type: 'boolean', nullable: true },
          grantedAt: moment,
          sequence: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, nullable: true },
          ownerId: { type: 'string', nullable: true },
          partitions: {
            type: 'object',
            nullable: true,
            required: [],
            additionalProperties: { type: 'string' },
            description: 'By their keys, the partitions that the activity counts on.',
          },
        },
      },
    },
  },
};

const momentPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * Whether `text` is a moment with an offset; a 30th of February, which `Date` would take for the 2nd of March, is none.
 */
function isMoment(text: string): boolean {
  if (!momentPattern.test(text) || Number.isNaN(Date.parse(text))) return false;
  const day = Number(text.slice(8, 10));
  // Every month has 28 days: nearly all moments are not made twice.
  return (
    day <= 28 || new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)) - 1, day)).getUTCDate() === day
  );
}

let compiled: ValidateFunction<EventsBody> | undefined;

/** Made for the first request: an app that is sent none does without Ajv. */
function validator(): ValidateFunction<EventsBody> {
  if (!compiled) {
    const { Ajv } = require('ajv') as typeof ajv;
    // It stops at the first fault: a thousand bad events should not cost more than a thousand good ones.
    compiled = new Ajv({ formats: { moment: isMoment }, allowUnionTypes: true }).compile(eventsBodySchema);
  }
  return compiled;
}

/**
 * The activities in a request's body, as far as their shape goes.
 * @throws ActivityError `invalidActivity` with the path of the first fault.
 */
export function changesOf(body: unknown): readonly ActivityChange[] {
  const validate = validator();
  if (!validate(body)) {
    throw faultsError('invalidActivity', (validate.errors ?? []).map(faultOf));
  }
  return body.events.map(changeIn);
}

/** Field by field: copying an object by `...` costs as much as validating it. What is left out stays so. */
function changeIn(event: EventBody): ActivityChange {
  const change: { -readonly [Field in keyof ActivityChange]: ActivityChange[Field] } = {
    userId: event.userId,
    action: event.action,
    subject: event.subject,
    occurredAt: dateOf(event.occurredAt),
    grantedAt: dateOf(event.grantedAt),
  };
  if (event.revoke !== undefined) change.revoke = event.revoke;
  if (event.sequence !== undefined) change.sequence = event.sequence;
  if (event.ownerId !== undefined) change.ownerId = event.ownerId;
  if (event.partitions !== undefined) change.partitions = event.partitions;
  return change;
}

function dateOf(text: string | null | undefined): Date | null {
  return text === null || text === undefined ? null : new Date(text);
}

/** `/events/3` and a missing `subject`: the path is `events.3.subject`. */
function faultOf({ instancePath, keyword, params, message }: ErrorObject): Fault {
  const at = instancePath.slice(1).replaceAll('/', '.');
  const under = (name: unknown) => (at === '' ? String(name) : `${at}.${String(name)}`);
  if (keyword === 'required') return { path: under(params.missingProperty), message: 'is missing' };
  if (keyword === 'additionalProperties') {
    return { path: under(shortened(params.additionalProperty)), message: 'is not a known property' };
  }
  if (keyword === 'format') {
    return { path: at, message: 'must be a moment such as 2026-11-20T08:12:01.123Z, with "Z" or an offset' };
  }
  return { path: at === '' ? 'body' : at, message: message ?? 'is not valid' };
}

/** A name that a client made up is shown, but not at any length. */
function shortened(name: unknown): string {
  const text = String(name);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
