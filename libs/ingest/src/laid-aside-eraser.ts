import { REDIS_CLIENT } from '@laurel/activity';
import type { UserEraser } from '@laurel/activity/internals';
import { Inject, Injectable } from '@nestjs/common';
import type { Cluster, Redis } from 'ioredis';
import { laidAsideKinds, LaidAsideMessages } from './stream/laid-aside';

/** The stream whose messages are laid aside. */
export const INGEST_STREAM = Symbol('INGEST_STREAM');

/** Erases users from the messages that were laid aside. */
@Injectable()
export class LaidAsideEraser implements UserEraser {
  readonly kind = 'laidAside';

  constructor(
    @Inject(REDIS_CLIENT) private readonly redis: Redis | Cluster,
    @Inject(INGEST_STREAM) private readonly stream: string,
  ) {}

  /** Reads all of them, in pages; returns how many messages named the user. */
  async erase(userId: string): Promise<number> {
    const { redis, stream } = this;
    let erased = 0;
    for (const kind of laidAsideKinds) erased += await new LaidAsideMessages({ redis, stream, kind }).erase(userId);
    return erased;
  }
}
