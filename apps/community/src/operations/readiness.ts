import { ActivityHealth } from '@laurel/activity';
import { Injectable } from '@nestjs/common';
import { HealthCheckService, type HealthCheckResult } from '@nestjs/terminus';
import { DatabaseHealth } from '../database/database-health';
import { KeptAnswer } from './kept-answer';

/** How long an answer is cached. */
const keptMs = 1_000;

/**
 * Whether Redis and the database can be used, checked once for all requests of a moment, and at most once a
 * second: frequent probes must not take connections from other requests.
 */
@Injectable()
export class Readiness {
  private readonly kept: KeptAnswer<HealthCheckResult>;

  constructor(health: HealthCheckService, redis: ActivityHealth, database: DatabaseHealth) {
    this.kept = new KeptAnswer(() => health.check([() => redis.check('redis'), () => database.check()]), keptMs);
  }

  /** Two round trips at once, or none. @throws ServiceUnavailableException that names what is away. */
  check(): Promise<HealthCheckResult> {
    return this.kept.get();
  }
}
