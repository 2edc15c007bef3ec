import { ConfigurableModuleBuilder } from '@nestjs/common';
import { optionalModule, optionalModuleExtras } from '../shared/optional-module';
import { PastController } from './past/past.controller';
import { SettlementStateController } from './settlement-state.controller';
import type { SettlementModuleOptions } from './settlement.options';

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<SettlementModuleOptions>({ moduleName: 'Settlement' })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createSettlementOptions')
    .setExtras(optionalModuleExtras, optionalModule([PastController, SettlementStateController]))
    .build();
