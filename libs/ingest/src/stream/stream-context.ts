import { BaseRpcContext } from '@nestjs/microservices';

/** The context of a message from a Redis Stream. */
export class StreamContext extends BaseRpcContext<[id: string, firstId: string | undefined]> {
  /** @param firstId of a message that was put back: the id under which it was first sent, or its milliseconds alone. */
  constructor(id: string, firstId?: string) {
    super([id, firstId]);
  }

  /** The message's id in its stream. */
  get id(): string {
    return String(this.getArgByIndex(0));
  }

  /** When the message was first sent, by the clock of Redis: the same at each delivery. */
  get sentAt(): Date {
    return new Date(Number(this.sent[0]));
  }

  /** Orders what was sent in one millisecond, the events of a message among them: the same at each delivery. */
  sequenceOf(event: number): number {
    return Math.min(Number(this.sent[1] ?? 0) * 1_000, 2 ** 52) + event;
  }

  /** The milliseconds, and the message's number in them. */
  private get sent(): readonly (string | undefined)[] {
    const first = this.getArgByIndex(1) as string | undefined;
    return /^(\d+)(?:-(\d+))?$/.exec(String(first ?? this.id))?.slice(1) ?? [];
  }
}
