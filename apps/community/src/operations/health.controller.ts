import { ActivityHealth } from '@laurel/activity';
import { ApiProblems } from '@laurel/activity/http';
import { Controller, Get, ServiceUnavailableException } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { HealthCheckService, type HealthCheckResult, type HealthIndicatorResult } from '@nestjs/terminus';
import { Pool } from 'pg';
import { Draining } from '../lifecycle/stop-gracefully';
import { keptAnswer } from './kept-answer';

/** How long readiness is cached: frequent probes must not take connections from other requests. */
const keptMs = 1_000;

const result = {
  type: 'object',
  properties: { status: { type: 'string', example: 'ok' }, details: { type: 'object', additionalProperties: true } },
} as const;

/** Health, for operators and balancers: whether the app is alive, and whether it may be sent requests. */
@ApiTags('operations')
@Controller('health')
export class HealthController {
  private readonly readiness: () => Promise<HealthCheckResult>;

  constructor(
    private readonly health: HealthCheckService,
    private readonly draining: Draining,
    redis: ActivityHealth,
    pool: Pool,
  ) {
    const parts = [() => redis.check('redis'), () => databaseHealth(pool)];
    this.readiness = keptAnswer(() => health.check(parts), keptMs);
  }

  @Get('live')
  @ApiOperation({ summary: 'Whether the process answers; restart it when not.' })
  @ApiOkResponse({ schema: result })
  live(): Promise<HealthCheckResult> {
    return this.health.check([]);
  }

  @Get('ready')
  @ApiOperation({ summary: 'Whether Redis and the database can be used, and the app is not about to stop.' })
  @ApiOkResponse({ schema: result })
  @ApiProblems(503)
  async ready(): Promise<HealthCheckResult> {
    if (this.draining.isOn) throw new ServiceUnavailableException('Not ready: the app is shutting down.');
    try {
      return await this.readiness();
    } catch (error) {
      if (!(error instanceof ServiceUnavailableException)) throw error;
      const down = Object.entries((error.getResponse() as HealthCheckResult).error ?? {});
      const message = `Not ready: ${down.map(([path]) => path).join(' and ')} cannot be used.`;
      const errors = down.map(([path, part]) => ({ path, message: String(part?.message ?? 'cannot be used') }));
      throw new ServiceUnavailableException({ message, errors });
    }
  }
}

async function databaseHealth(pool: Pool): Promise<HealthIndicatorResult<'database'>> {
  try {
    await pool.query('SELECT 1');
    return { database: { status: 'up' } };
  } catch {
    return { database: { status: 'down', message: 'The database is away: try again in a moment.' } };
  }
}
