import type { RedisClient } from '@laurel/leaderboard';
import { runScript } from '@laurel/leaderboard/internals';
import { performance } from 'node:perf_hooks';
import { scripts } from '../../scripts/scripts.generated';

/** The lease was lost: another holder may have it, what it protects must not go on. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';

  constructor() {
    super('The lease was lost: Redis did not answer in time, or another instance took over.');
  }
}

/**
 * A lock with a lease in Redis: it expires if its holder crashes, and is renewed three times in its length while it is
 * held. Each holder has its own token, higher than all before.
 */
export class Lease {
  private keptUntilMs: number;
  private readonly loss = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private renewing: Promise<void> | undefined;

  private constructor(
    private readonly redis: RedisClient,
    private readonly key: string,
    private readonly ttlMs: number,
    /** Higher than that of every holder before. */
    readonly token: number,
    { sinceMs, renewEveryMs }: { readonly sinceMs: number; readonly renewEveryMs: number },
  ) {
    this.keptUntilMs = sinceMs + ttlMs;
    this.timer = setInterval(() => this.renew(), renewEveryMs).unref();
  }

  /** Aborted as soon as it is known that it is lost, or must be feared; also when it is given back. */
  get lost(): AbortSignal {
    return this.loss.signal;
  }

  /**
   * Takes it; null where another has it. Two round trips.
   * @param key with a hash tag: the token's counter lies beside it.
   * @param renewEveryMs three times in its length, if nothing else is said.
   */
  static async take(redis: RedisClient, key: string, ttlMs: number, renewEveryMs = ttlMs / 3): Promise<Lease | null> {
    /**
     * Beside each lease, under the lease's key: the last token given.
     * @redis string: a number
     * @expires never
     */
    const token = await redis.incr(`${key}:token`);
    const sinceMs = performance.now();
    const taken = await redis.set(key, String(token), 'PX', ttlMs, 'NX');
    return taken === 'OK' ? new Lease(redis, key, ttlMs, token, { sinceMs, renewEveryMs }) : null;
  }

  /** @throws LeaseLostError as soon as it is known, or must be feared. Asks nobody. */
  assertHeld(): void {
    if (performance.now() >= this.keptUntilMs) this.loss.abort();
    if (this.lost.aborted) throw new LeaseLostError();
  }

  /** Renews it. One round trip. @throws LeaseLostError if it is lost; ioredis' errors. */
  async confirm(): Promise<void> {
    const sinceMs = performance.now();
    const kept = await this.keep(this.ttlMs);
    if (kept === 1) this.keptUntilMs = sinceMs + this.ttlMs;
    else this.loss.abort();
    this.assertHeld();
  }

  /** Gives it back. One round trip; where Redis does not answer it ends by itself. */
  async release(): Promise<void> {
    clearInterval(this.timer);
    this.loss.abort();
    await this.keep(0).catch(() => undefined);
  }

  private keep(ttlMs: number): Promise<unknown> {
    return runScript(this.redis, scripts.keepLease, { lease: this.key }, { token: this.token, ttlMs });
  }

  /** One renewal at a time: while Redis does not answer they would pile up. */
  private renew(): void {
    if (performance.now() >= this.keptUntilMs) this.loss.abort();
    this.renewing ??= this.confirm()
      .catch(() => undefined)
      .finally(() => (this.renewing = undefined));
  }
}
