import { BaseRpcContext } from '@nestjs/microservices';

/** Of a message that came by a Redis Stream. */
export class StreamContext extends BaseRpcContext<[id: string]> {
  constructor(id: string) {
    super([id]);
  }

  /** The message's id in its stream. */
  get id(): string {
    return String(this.getArgByIndex(0));
  }

  /** When it was put there, by the clock of Redis: the same whenever it is delivered. */
  get sentAt(): Date {
    return new Date(Number(this.id.slice(0, this.id.indexOf('-'))));
  }
}
