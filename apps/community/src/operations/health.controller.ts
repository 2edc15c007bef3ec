import { ApiProblems } from '@laurel/activity/http';
import { Controller, Get, ServiceUnavailableException } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { HealthCheckService, type HealthCheckResult } from '@nestjs/terminus';
import { Draining } from '../lifecycle/stop-gracefully';
import { Readiness } from './readiness';

const result = {
  type: 'object',
  properties: { status: { type: 'string', example: 'ok' }, details: { type: 'object', additionalProperties: true } },
} as const;

/** Health, for operators and balancers: whether the app is alive, and whether it may be sent requests. */
@ApiTags('operations')
@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly readiness: Readiness,
    private readonly draining: Draining,
  ) {}

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
      return await this.readiness.check();
    } catch (error) {
      if (!(error instanceof ServiceUnavailableException)) throw error;
      const faults = faultsIn(error.getResponse() as HealthCheckResult);
      const message = `Not ready: ${faults.map(({ path }) => path).join(' and ')} cannot be used.`;
      throw new ServiceUnavailableException({ message, errors: faults });
    }
  }
}

/** Each part that is down, as a problem document names it. */
function faultsIn({ error = {} }: HealthCheckResult): { path: string; message: string }[] {
  return Object.entries(error).map(([path, part]) => {
    const message: unknown = part?.message;
    return { path, message: typeof message === 'string' ? message : 'cannot be used' };
  });
}
