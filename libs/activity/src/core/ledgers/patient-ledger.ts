import { Ledger, type LedgerOptions, type Transition, type TransitionResult } from '@laurel/leaderboard';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { RedisConnection } from '../redis/redis-connection';
import { isPassing } from '../redis/redis-faults';

/** How long a call that failed in passing waits for the next try: a failover takes longer, a reset connection less. */
const retryMs = 50;

/**
 * A ledger whose writes wait for Redis. A call that was cut off is sent again: what it had done already is then a
 * `duplicate`, so that points are never given twice.
 */
export class PatientLedger extends Ledger {
  /** @param patienceMs how long a write waits and is repeated. */
  constructor(
    private readonly connection: RedisConnection,
    options: LedgerOptions,
    private readonly patienceMs: number,
  ) {
    super(connection.client, options);
  }

  override async applyToShard(shard: number, transitions: readonly Transition[]): Promise<TransitionResult[]> {
    // The usual case pays for nothing.
    const deadlineMs = performance.now() + this.patienceMs;
    for (;;) {
      if (!this.connection.isReady) await this.connection.whenReady(deadlineMs - performance.now());
      try {
        return await super.applyToShard(shard, transitions);
      } catch (error) {
        if (!isPassing(error) || performance.now() + retryMs >= deadlineMs) {
          this.connection.refusals.note(error, { isWrite: true });
          throw error;
        }
      }
      await delay(retryMs);
    }
  }
}
