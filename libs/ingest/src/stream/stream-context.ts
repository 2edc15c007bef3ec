import { BaseRpcContext } from '@nestjs/microservices';

/** The context of a message from a Redis Stream. */
export class StreamContext extends BaseRpcContext<[id: string, sentAtMs: string | undefined]> {
  /** @param sentAtMs when a message that was put back was first sent. */
  constructor(id: string, sentAtMs?: string) {
    super([id, sentAtMs]);
  }

  /** The message's id in its stream. */
  get id(): string {
    return String(this.getArgByIndex(0));
  }

  /** When the message was first sent, by the clock of Redis: the same at each delivery. */
  get sentAt(): Date {
    const sentAtMs: unknown = this.getArgByIndex(1);
    return new Date(Number(sentAtMs ?? this.id.slice(0, this.id.indexOf('-'))));
  }
}
