import { REDIS_CLIENT } from '@laurel/activity';
import type { UserEraser, UserRecords } from '@laurel/activity/internals';
import { Inject, Injectable } from '@nestjs/common';
import type { Cluster, Redis } from 'ioredis';
import { deadLetterKinds, DeadLetters } from './stream/dead-letters';

/** The stream that dead letters came from. */
export const INGEST_STREAM = Symbol('INGEST_STREAM');

/** Erases users from dead letters, and finds what these have of them. */
@Injectable()
export class DeadLetterEraser implements UserEraser, UserRecords {
  readonly kind = 'deadLetters';

  constructor(
    @Inject(REDIS_CLIENT) private readonly redis: Redis | Cluster,
    @Inject(INGEST_STREAM) private readonly stream: string,
  ) {}

  /** Reads all of them, in pages; returns how many messages named the user. */
  async erase(userId: string): Promise<number> {
    const { redis, stream } = this;
    let erased = 0;
    for (const kind of deadLetterKinds) erased += await new DeadLetters({ redis, stream, kind }).erase(userId);
    return erased;
  }

  /** All that names the user, as {@link erase} finds it. */
  async *of(userId: string): AsyncGenerator<object, void> {
    const { redis, stream } = this;
    for (const kind of deadLetterKinds) yield* new DeadLetters({ redis, stream, kind }).about(userId);
  }
}
