import { METRICS_REGISTRY } from '@laurel/activity';
import { Controller, Get, Header, Inject, type OnModuleInit } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { COMMUNITY_OPTIONS, type CommunityOptions } from '../options/community.options';
import { keptAnswer } from './kept-answer';

/** Some figures cost a query or a look at the process: frequent scrapes share one answer. */
const usualKeptMs = 1_000;

/** The metrics of the app and the process. */
@ApiTags('operations')
@Controller('metrics')
export class MetricsController implements OnModuleInit {
  private readonly kept: () => Promise<string>;

  constructor(
    @Inject(METRICS_REGISTRY) private readonly registry: Registry,
    @Inject(COMMUNITY_OPTIONS) { metricsKeptMs = usualKeptMs }: CommunityOptions,
  ) {
    this.kept = keptAnswer(() => registry.metrics(), metricsKeptMs);
  }

  onModuleInit(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  @Get()
  @Header('Content-Type', Registry.PROMETHEUS_CONTENT_TYPE)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ summary: 'Metrics in the format of Prometheus; in production for the API key alone.' })
  @ApiOkResponse({ content: { 'text/plain': { schema: { type: 'string' } } } })
  metrics(): Promise<string> {
    return this.kept();
  }
}
