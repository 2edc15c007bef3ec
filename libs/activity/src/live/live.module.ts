import { Module } from '@nestjs/common';
import { configurableModule } from '../shared/optional-module';
import { LIVE_SETTINGS, type LiveModuleOptions, resolveLive } from './live.options';
import { RankStreamController } from './rank-stream.controller';
import { Streams } from './streams';
import './openapi.generated';

const { Base, OPTIONS } = configurableModule<LiveModuleOptions, 'Live'>('Live', [RankStreamController]);

/**
 * Streams live standings as server-sent events: `GET /ranks/:leaderboard/stream`. Import it beside `ActivityModule`.
 */
@Module({ providers: [{ provide: LIVE_SETTINGS, inject: [OPTIONS], useFactory: resolveLive }, Streams] })
export class LiveModule extends Base {}
