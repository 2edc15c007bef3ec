import type { Cluster, Redis } from 'ioredis';

/** Why messages were laid aside: `refused` can never be recorded as they are; `failed` failed at each delivery. */
export const laidAsideKinds = ['refused', 'failed'] as const;
/** One of {@link laidAsideKinds}. */
export type LaidAsideKind = (typeof laidAsideKinds)[number];

/** Where messages are laid aside: `<stream>:refused`, `<stream>:failed`. */
export function laidAsideKey(stream: string, kind: LaidAsideKind): string {
  return `${stream}:${kind}`;
}

/** A message that was laid aside. */
export interface LaidAsideMessage {
  /** By which it is put back or dropped. */
  readonly entry: string;
  /** Its id in the stream it came from, which says when it was sent. */
  readonly id: string;
  readonly code: string;
  readonly reason: string;
  /** The message's own fields and their values by turns, `pattern` and `data` among them. */
  readonly fields: readonly string[];
}

/** What to lay aside of a message. */
export function laidAsideFields(id: string, code: string, reason: string, fields: readonly string[]): string[] {
  return ['id', id, 'code', code, 'reason', reason, ...fields];
}

/**
 * The messages of a stream that were set apart: list them, put them back once their fault is repaired, or drop them.
 */
export class LaidAsideMessages {
  private readonly key: string;

  constructor(private readonly options: { redis: Redis | Cluster; stream: string; kind: LaidAsideKind }) {
    this.key = laidAsideKey(options.stream, options.kind);
  }

  /** How many there are. One round trip. */
  count(): Promise<number> {
    return this.options.redis.xlen(this.key);
  }

  /** The first `count` (100), the oldest first, or those after an entry. One round trip. */
  async list({ count = 100, after }: { readonly count?: number; readonly after?: string } = {}): Promise<
    LaidAsideMessage[]
  > {
    const from = after === undefined ? '-' : `(${after}`;
    const found = await this.options.redis.xrange(this.key, from, '+', 'COUNT', count);
    return found.map(([entry, fields]) => {
      const [, id = '', , code = '', , reason = '', ...rest] = fields;
      return { entry, id, code, reason, fields: rest };
    });
  }

  /**
   * Puts messages back into their stream, where they are delivered anew as of the moment at which they were sent first.
   * Two round trips each. Safe to repeat: what is put back twice counts once.
   */
  async putBack(messages: readonly LaidAsideMessage[]): Promise<void> {
    const { redis, stream } = this.options;
    for (const { entry, id, fields } of messages) {
      const sentAt = fields.includes('sentAt') ? [] : ['sentAt', id.slice(0, id.indexOf('-'))];
      await redis.xadd(stream, '*', ...fields, ...sentAt);
      await redis.xdel(this.key, entry);
    }
  }

  /** Forgets messages for good. One round trip. */
  async drop(messages: readonly LaidAsideMessage[]): Promise<void> {
    if (messages.length > 0) await this.options.redis.xdel(this.key, ...messages.map(({ entry }) => entry));
  }
}
