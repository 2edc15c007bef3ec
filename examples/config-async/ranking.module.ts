import { ActivityModule, LiveModule, SettlementModule } from '@laurel/activity';
import { Module } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { EventEmitterModule } from '@nestjs/event-emitter';
import type { Environment } from './environment';

type Config = ConfigService<Environment, true>;

/** All that ranks, in one module. The rest of the app emits events and does not know it. */
@Module({
  imports: [
    EventEmitterModule.forRoot(),
    ActivityModule.forRootAsync({
      inject: [ConfigService],
      useFactory: (config: Config) => ({
        redis: { url: config.get('REDIS_URL', { infer: true }) },
        prefix: config.get('LAUREL_PREFIX', { infer: true }),
        timezone: config.get('LAUREL_TIMEZONE', { infer: true }),
      }),
    }),
    SettlementModule.forRootAsync({
      inject: [ConfigService],
      useFactory: (config: Config) => ({ winners: config.get('WINNERS', { infer: true }) }),
    }),
    LiveModule.forRoot(),
  ],
})
export class RankingModule {}
