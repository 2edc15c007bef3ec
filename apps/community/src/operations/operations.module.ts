import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { Draining } from '../lifecycle/stop-gracefully';
import { HealthController } from './health.controller';
import { MetricsController } from './metrics.controller';
import { Readiness } from './readiness';

/** Health and metrics. */
@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController, MetricsController],
  providers: [Draining, Readiness],
})
export class OperationsModule {}
