import { randomUUID } from 'node:crypto';
import { runScript, type RedisClient } from './run';
import { scripts } from '../scripts/scripts.generated';
import { served } from './served';

/** A lease, not a mutex: if it expires mid-work, two holders overlap, so the guarded work must tolerate that. */
export class Lock {
  private readonly token = randomUUID();

  constructor(
    private readonly redis: RedisClient,
    private readonly key: string,
    private readonly ttlMs: number,
  ) {}

  /** Whether this call took the lock. One round trip. */
  async take(): Promise<boolean> {
    const take = () => this.redis.set(this.key, this.token, 'PX', this.ttlMs, 'NX');
    return (await served(this.redis, this.key, take)) === 'OK';
  }

  /** Holds the lock for another `ttlMs`; false if it was lost. One round trip. */
  async renew(): Promise<boolean> {
    return (
      (await runScript(this.redis, scripts.holdLock, { lock: this.key }, { token: this.token, ttlMs: this.ttlMs })) ===
      1
    );
  }

  /** Releases the lock if it is still held. One round trip. */
  async release(): Promise<void> {
    await runScript(this.redis, scripts.holdLock, { lock: this.key }, { token: this.token, ttlMs: 0 });
  }
}
