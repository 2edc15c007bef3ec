import { ConfigurableModuleBuilder } from '@nestjs/common';
import { besideActivity, besideExtras } from '../beside/module-beside';
import type { TitlesModuleOptions } from './titles.options';

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<TitlesModuleOptions>({ moduleName: 'Titles' })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createTitlesOptions')
    .setExtras(besideExtras, besideActivity([]))
    .build();
