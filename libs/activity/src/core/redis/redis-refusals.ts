import type { Clock } from '@laurel/leaderboard';
import { Logger } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { LabelNames, type SharedMetrics } from '../observability/shared-metrics';
import { doctor, ofServer, refusalCode } from './redis-faults';

/** How often a code is logged at most. */
const logEveryMs = 60_000;

/** The most codes that are counted by their names. */
const maxCodes = 100;

/** For how long after the last refused write the server is taken to refuse writes. */
const heldMs = 15_000;

/**
 * Refusals by Redis itself, by code. Callers learn only to try again, so refusals are counted, and logged once a minute
 * for each code. Only codes: a message of Redis may hold text of users.
 */
export class RedisRefusals {
  private readonly logger = new Logger('Redis');
  private readonly refusals: Counter<'code'>;
  private readonly names = new LabelNames(maxCodes);
  private readonly loggedAtMs = new Map<string, number>();
  private refusedWrite: { readonly code: string; readonly atMs: number } | null = null;

  constructor(
    metrics: SharedMetrics,
    private readonly clock: Clock,
  ) {
    this.refusals = metrics.counter({
      name: 'laurel_redis_refusals_total',
      help: 'Calls that Redis answered with an error, by its code: OOM, NOPERM, READONLY, WRONGTYPE.',
      labelNames: ['code'],
    });
  }

  /** Takes note of a fault, if Redis said it; `isWrite`: of one that kept something from being recorded. */
  note(error: unknown, { isWrite }: { readonly isWrite: boolean }): void {
    const code = refusalCode(error);
    if (code === null) return;
    const nowMs = this.clock.now();
    this.refusals.inc({ code: this.names.of(code) });
    if (isWrite && ofServer.has(code)) this.refusedWrite = { code, atMs: nowMs };
    const loggedAtMs = this.loggedAtMs.get(code);
    if (loggedAtMs !== undefined && nowMs - loggedAtMs < logEveryMs) return;
    this.loggedAtMs.set(code, nowMs);
    this.logger.error(`Redis refuses ${isWrite ? 'writes' : 'a command'}: ${code}. ${doctor}`);
  }

  /**
   * Why the server takes no writes, as far as is known; null: it takes them.
   * @param probe writes something small, which is refused where all writes are.
   */
  async writesRefused(probe: () => Promise<unknown>): Promise<string | null> {
    if (this.refusedWrite === null) return null;
    try {
      await probe();
    } catch (error) {
      const code = refusalCode(error);
      if (code !== null && ofServer.has(code)) this.refusedWrite = { code, atMs: this.clock.now() };
    }
    const { code, atMs } = this.refusedWrite;
    if (this.clock.now() - atMs < heldMs) return code;
    this.refusedWrite = null;
    return null;
  }
}
