import { REDIS_CLIENT } from '@laurel/activity';
import type { UserEraser } from '@laurel/activity/internals';
import { Inject, Injectable } from '@nestjs/common';
import type { Cluster, Redis } from 'ioredis';
import { deadLetterKinds, DeadLetters } from './stream/dead-letters';

/** The stream that dead letters came from. */
export const INGEST_STREAM = Symbol('INGEST_STREAM');

/** Erases users from dead letters. */
@Injectable()
export class DeadLetterEraser implements UserEraser {
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
}
