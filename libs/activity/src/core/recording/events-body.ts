import { type ActivityError, faultsError } from '../errors/errors';
import type { ActivityChange } from '../activity/activity';
import { momentIn, momentWords } from '../schema/moment';
import { isObject } from '../schema/schema';

/** The most events in one request. */
export const maxEvents = 1_000;

const moment = {
  type: 'string',
  nullable: true,
  maxLength: 40,
  format: 'moment',
  description: 'RFC 3339, with an offset. Default: now.',
} as const;

/** The body of `POST /activity/events` in the OpenAPI document. {@link changesOf} takes the same, as a spec proves. */
export const eventsBodySchema = {
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
          id: { type: 'string', nullable: true, description: 'Counts once by this id, whatever its date.' },
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
            description: 'The partitions on which the activity counts, by key.',
          },
        },
      },
    },
  },
} as const;

type Fields = Readonly<Record<string, unknown>>;
type Draft = { -readonly [Field in keyof ActivityChange]: ActivityChange[Field] };

/**
 * The activities in a request's body, as far as their shape goes. They are read in one pass by hand: a validator and a
 * copy of what it let pass took twice as long. Reading stops at the first fault: a thousand bad events should not cost
 * more than a thousand good ones.
 * @throws ActivityError `invalidActivity` with the path of the first fault.
 */
export function changesOf(body: unknown): readonly ActivityChange[] {
  if (!isObject(body)) throw fault('body', 'must be object');
  for (const name in body) if (name !== 'events') throw fault(shortened(name), 'is not a known property');
  const { events } = body;
  if (events === undefined) throw fault('events', 'is missing');
  if (!Array.isArray(events)) throw fault('events', 'must be array');
  if (events.length === 0) throw fault('events', 'must NOT have fewer than 1 items');
  if (events.length > maxEvents) throw fault('events', `must NOT have more than ${maxEvents} items`);
  return events.map(changeIn);
}

const needed = eventsBodySchema.properties.events.items.required;
const known: ReadonlySet<string> = new Set(Object.keys(eventsBodySchema.properties.events.items.properties));

/** Field by field: what is left out stays so, but for the moments. Without one they are null. */
function changeIn(event: unknown, index: number): ActivityChange {
  if (!isObject(event)) throw fault(`events.${index}`, 'must be object');
  for (const name in event) if (!known.has(name)) throw faultAt(index, shortened(name), 'is not a known property');
  const { userId, action, subject, id, revoke, sequence, ownerId, partitions } = event;
  if (typeof userId !== 'string' || typeof action !== 'string' || typeof subject !== 'string') {
    const name = needed.find((one) => typeof event[one] !== 'string') as string;
    throw faultAt(index, name, event[name] === undefined ? 'is missing' : 'must be string');
  }
  const occurredAt = dateIn(event, index, 'occurredAt');
  const grantedAt = dateIn(event, index, 'grantedAt');
  const change: Draft = { userId, action, subject, occurredAt, grantedAt };
  if (id !== undefined) {
    if (id !== null && typeof id !== 'string') throw faultAt(index, 'id', 'must be string');
    change.id = id;
  }
  if (revoke !== undefined) {
    if (revoke !== null && typeof revoke !== 'boolean') throw faultAt(index, 'revoke', 'must be boolean');
    change.revoke = revoke;
  }
  if (sequence !== undefined) {
    if (sequence !== null && !isSequence(sequence)) throw faultAt(index, 'sequence', 'must be a whole number from 0');
    change.sequence = sequence;
  }
  if (ownerId !== undefined) {
    if (ownerId !== null && typeof ownerId !== 'string') throw faultAt(index, 'ownerId', 'must be string');
    change.ownerId = ownerId;
  }
  if (partitions !== undefined) {
    change.partitions = partitions === null ? null : textsIn(partitions, index);
  }
  return change;
}

function dateIn(event: Fields, index: number, name: 'occurredAt' | 'grantedAt'): Date | null {
  const text = event[name];
  if (text === undefined || text === null) return null;
  const ms = typeof text === 'string' ? momentIn(text) : NaN;
  if (!Number.isNaN(ms)) return new Date(ms);
  throw faultAt(index, name, `must be ${momentWords}`);
}

function isSequence(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function textsIn(partitions: unknown, index: number): Readonly<Record<string, string>> {
  if (!isObject(partitions)) throw faultAt(index, 'partitions', 'must be object');
  for (const key in partitions) {
    if (typeof partitions[key] !== 'string') throw faultAt(index, `partitions.${shortened(key)}`, 'must be string');
  }
  return partitions as Readonly<Record<string, string>>;
}

function faultAt(index: number, name: string, message: string): ActivityError {
  return fault(`events.${index}.${name}`, message);
}

function fault(path: string, message: string): ActivityError {
  return faultsError('invalidActivity', [{ path, message }]);
}

/** A name that a client made up is shown, but not at any length. */
function shortened(name: string): string {
  return name.length > 40 ? `${name.slice(0, 40)}…` : name;
}
