import { ConfigurableModuleBuilder } from '@nestjs/common';
import { optionalModule, optionalModuleExtras } from '../shared/optional-module';
import type { LiveModuleOptions } from './live.options';
import { RankStreamController } from './rank-stream.controller';

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<LiveModuleOptions>({ moduleName: 'Live' })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createLiveOptions')
    .setExtras(optionalModuleExtras, optionalModule([RankStreamController]))
    .build();
