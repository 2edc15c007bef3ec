import { randomUUID } from 'node:crypto';
import { runScript, type RedisClient } from './run';
import { scripts } from '../scripts/scripts.generated';
import { served } from './served';

/** A lock that one holder has at a time, as long as it renews it. What it guards must stand a second holder all the same. */
export class Lock {
  private readonly token = randomUUID();

  constructor(
    private readonly redis: RedisClient,
    private readonly key: string,
    private readonly ttlMs: number,
  ) {}

  /** Whether it could be taken. One round trip. */
  async take(): Promise<boolean> {
    const take = () => this.redis.set(this.key, this.token, 'PX', this.ttlMs, 'NX');
    return (await served(this.redis, this.key, take)) === 'OK';
  }

  /** Whether it is still held; then it is for another `ttlMs`. One round trip. */
  async renew(): Promise<boolean> {
    return (
      (await runScript(this.redis, scripts.holdLock, { lock: this.key }, { token: this.token, ttlMs: this.ttlMs })) ===
      1
    );
  }

  /** Lets go of it, if it is still held. One round trip. */
  async release(): Promise<void> {
    await runScript(this.redis, scripts.holdLock, { lock: this.key }, { token: this.token, ttlMs: 0 });
  }
}
