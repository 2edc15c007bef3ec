import { ConfigurableModuleBuilder } from '@nestjs/common';
import { besideActivity, besideExtras } from '../beside/module-beside';
import type { LiveModuleOptions } from './live.options';
import { RankStreamController } from './rank-stream.controller';

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<LiveModuleOptions>({ moduleName: 'Live' })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createLiveOptions')
    .setExtras(besideExtras, besideActivity([RankStreamController]))
    .build();
