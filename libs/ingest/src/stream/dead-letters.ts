import type { Cluster, Redis } from 'ioredis';

/** Why messages became dead letters: `refused` can never be recorded as they are; `failed` failed at each delivery. */
export const deadLetterKinds = ['refused', 'failed'] as const;
/** One of {@link deadLetterKinds}. */
export type DeadLetterKind = (typeof deadLetterKinds)[number];

/** The streams of dead letters: `<stream>:refused`, `<stream>:failed`. */
export function deadLetterKey(stream: string, kind: DeadLetterKind): string {
  return `${stream}:${kind}`;
}

/** A message that could not be recorded, kept with the reason. */
export interface DeadLetter {
  /** Names it when you put it back or drop it. */
  readonly entry: string;
  /** Its id in the original stream, which contains the time it was sent. */
  readonly id: string;
  readonly code: string;
  readonly reason: string;
  /** The message's fields, each followed by its value, `pattern` and `data` among them. */
  readonly fields: readonly string[];
}

type Event = Readonly<Partial<Record<string, unknown>>>;

/** An event of a dead letter; null: the message has none, and names the user somewhere. */
interface DeadLetterAbout extends Pick<DeadLetter, 'id' | 'code' | 'reason'> {
  readonly event: Event | null;
}

/** The fields of a dead letter. */
export function deadLetterFields(id: string, code: string, reason: string, fields: readonly string[]): string[] {
  return ['id', id, 'code', code, 'reason', reason, ...fields];
}

/** Dead letters of a stream: list them, put them back after a repair, or drop them. */
export class DeadLetters {
  private readonly key: string;

  constructor(private readonly options: { redis: Redis | Cluster; stream: string; kind: DeadLetterKind }) {
    this.key = deadLetterKey(options.stream, options.kind);
  }

  /** How many there are. One round trip. */
  count(): Promise<number> {
    return this.options.redis.xlen(this.key);
  }

  /** The first `count` (100), the oldest first, or those after an entry. One round trip. */
  async list({ count = 100, after }: { readonly count?: number; readonly after?: string } = {}): Promise<DeadLetter[]> {
    const from = after === undefined ? '-' : `(${after}`;
    const found = await this.options.redis.xrange(this.key, from, '+', 'COUNT', count);
    return found.map(([entry, fields]) => {
      const [, id = '', , code = '', , reason = '', ...rest] = fields;
      return { entry, id, code, reason, fields: rest };
    });
  }

  /**
   * Puts messages back into their stream, with the time at which they were first sent. Two round trips each. Safe to
   * repeat: their events count once.
   */
  async putBack(messages: readonly DeadLetter[]): Promise<void> {
    const { redis, stream } = this.options;
    for (const { entry, id, fields } of messages) {
      const sentAt = fields.includes('sentAt') ? [] : ['sentAt', id];
      await redis.xadd(stream, '*', ...fields, ...sentAt);
      await redis.xdel(this.key, entry);
    }
  }

  /**
   * Removes the events of a user as actor, as owner of the subject or as the subject; a message without events, if it
   * contains the id. Returns how many messages changed. A round trip for each 100 messages, and two for each that
   * changes. Safe to repeat.
   */
  async erase(userId: string): Promise<number> {
    let erased = 0;
    for (let page = await this.list(); page.length > 0; page = await this.list({ after: page.at(-1)?.entry ?? '' })) {
      for (const message of page) {
        const fields = fieldsWithout(userId, message.fields);
        if (fields === message.fields) continue;
        const { id, code, reason } = message;
        if (fields) await this.options.redis.xadd(this.key, '*', ...deadLetterFields(id, code, reason, fields));
        await this.drop([message]);
        erased += 1;
      }
    }
    return erased;
  }

  /** What {@link erase} would remove: each event of a user, and messages without events. A round trip for each 100. */
  async *about(userId: string): AsyncGenerator<DeadLetterAbout, void> {
    for (let page = await this.list(); page.length > 0; page = await this.list({ after: page.at(-1)?.entry ?? '' })) {
      for (const { id, code, reason, fields } of page) {
        if (fieldsWithout(userId, fields) === fields) continue;
        const events = eventsIn(dataOf(fields)) ?? [null];
        for (const event of events) if (!event || isAbout(userId, event)) yield { id, code, reason, event };
      }
    }
  }

  /** Deletes messages for good. One round trip. */
  async drop(messages: readonly DeadLetter[]): Promise<void> {
    if (messages.length > 0) await this.options.redis.xdel(this.key, ...messages.map(({ entry }) => entry));
  }
}

/** The same fields where none names the user; null: nothing is left. */
function fieldsWithout(userId: string, fields: readonly string[]): readonly string[] | null {
  const data = dataOf(fields);
  const events = eventsIn(data);
  if (!events) return fields.some((field) => field.includes(userId)) ? null : fields;
  const left = events.filter((one) => !one || !isAbout(userId, one));
  if (left.length === events.length) return fields;
  const without = JSON.stringify({ events: left });
  // Another field may hold the same text.
  return left.length === 0 ? null : fields.map((field) => (field === data ? without : field));
}

function dataOf(fields: readonly string[]): string {
  return fields[fields.findIndex((field, i) => i % 2 === 0 && field === 'data') + 1] ?? '';
}

/** What is no user, whatever it says; other properties may be misnamed. */
const noUsers = new Set(['action', 'id', 'subject', 'occurredAt', 'grantedAt', 'revoke', 'sequence', 'partitions']);

function isAbout(userId: string, event: Event): boolean {
  const isNamed = Object.entries(event).some(
    ([name, value]) =>
      !noUsers.has(name) && (value === userId || (typeof value === 'number' && String(value) === userId)),
  );
  return isNamed || event.subject === `user:${userId}`;
}

/** Null where there are none. */
function eventsIn(data: string): readonly (Event | null)[] | null {
  try {
    const { events } = JSON.parse(data) as { readonly events?: unknown };
    return Array.isArray(events) ? events : null;
  } catch {
    return null;
  }
}
