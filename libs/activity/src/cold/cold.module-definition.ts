import { ConfigurableModuleBuilder } from '@nestjs/common';
import { besideActivity, besideExtras } from '../beside/module-beside';
import type { ColdLedgersModuleOptions } from './cold.options';

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<ColdLedgersModuleOptions>({ moduleName: 'ColdLedgers' })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createColdLedgersOptions')
    .setExtras(besideExtras, besideActivity([]))
    .build();
