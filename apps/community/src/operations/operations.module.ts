import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { Draining } from '../lifecycle/stop-gracefully';
import { HealthController } from './health.controller';
import { MetricsController } from './metrics.controller';

/** Health and metrics. */
@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController, MetricsController],
  providers: [Draining],
})
export class OperationsModule {}
