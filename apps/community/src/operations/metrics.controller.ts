import { METRICS_REGISTRY } from '@laurel/activity';
import { Controller, Get, Header, Inject, type OnModuleInit } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { collectDefaultMetrics, Registry } from 'prom-client';

/** What the app and the process do, in figures. */
@ApiTags('operations')
@Controller('metrics')
export class MetricsController implements OnModuleInit {
  constructor(@Inject(METRICS_REGISTRY) private readonly registry: Registry) {}

  onModuleInit(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  @Get()
  @Header('Content-Type', Registry.PROMETHEUS_CONTENT_TYPE)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ summary: 'Metrics in the format of Prometheus.' })
  @ApiOkResponse({ content: { 'text/plain': { schema: { type: 'string' } } } })
  metrics(): Promise<string> {
    return this.registry.metrics();
  }
}
