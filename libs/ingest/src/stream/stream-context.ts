import { BaseRpcContext } from '@nestjs/microservices';

/** Of a message that came by a Redis Stream. */
export class StreamContext extends BaseRpcContext<[id: string, sentAtMs: string | undefined]> {
  /** @param sentAtMs of a message that was put back: when it was put into the stream first. */
  constructor(id: string, sentAtMs?: string) {
    super([id, sentAtMs]);
  }

  /** The message's id in its stream. */
  get id(): string {
    return String(this.getArgByIndex(0));
  }

  /** When it was put there first, by the clock of Redis: the same whenever it is delivered. */
  get sentAt(): Date {
    const sentAtMs: unknown = this.getArgByIndex(1);
    return new Date(Number(sentAtMs ?? this.id.slice(0, this.id.indexOf('-'))));
  }
}
