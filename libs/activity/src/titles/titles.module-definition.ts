import { ConfigurableModuleBuilder } from '@nestjs/common';
import { optionalModule, optionalModuleExtras } from '../shared/optional-module';
import type { TitlesModuleOptions } from './titles.options';

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<TitlesModuleOptions>({ moduleName: 'Titles' })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createTitlesOptions')
    .setExtras(optionalModuleExtras, optionalModule([]))
    .build();
