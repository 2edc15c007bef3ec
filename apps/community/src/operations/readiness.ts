import { ActivityHealth } from '@laurel/activity';
import { Injectable } from '@nestjs/common';
import { HealthCheckService, type HealthCheckResult } from '@nestjs/terminus';
import { performance } from 'node:perf_hooks';
import { DatabaseHealth } from '../database/database-health';

/** How long an answer holds for whoever asks next. */
const keptMs = 1_000;

/**
 * Whether Redis and the database can be used, found out once for all who ask at a time, and at most once a second: whoever
 * asks often must not take connections from those who work with them.
 */
@Injectable()
export class Readiness {
  private last: Promise<HealthCheckResult> | null = null;
  private keptUntilMs = 0;

  constructor(
    private readonly health: HealthCheckService,
    private readonly redis: ActivityHealth,
    private readonly database: DatabaseHealth,
  ) {}

  /** Two round trips at once, or none. @throws ServiceUnavailableException that names what is away. */
  check(): Promise<HealthCheckResult> {
    if (this.last && performance.now() < this.keptUntilMs) return this.last;
    this.keptUntilMs = Infinity;
    const keep = () => void (this.keptUntilMs = performance.now() + keptMs);
    this.last = this.health.check([() => this.redis.check('redis'), () => this.database.check()]);
    this.last.then(keep, keep);
    return this.last;
  }
}
