import type { FactoryProvider } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { Injector } from '@nestjs/core/injector/injector.js';
import { ScheduleModule, SchedulerRegistry } from '@nestjs/schedule';

/**
 * The app's own `SchedulerRegistry` where it imports `ScheduleModule`, so that it finds our interval there, else one of the
 * module's. Importing `ScheduleModule` here would run every `@Cron` and `@Interval` of such an app twice.
 */
export const schedulerProvider: FactoryProvider<Promise<SchedulerRegistry>> = {
  provide: SchedulerRegistry,
  inject: [ModulesContainer],
  useFactory: async (modules: ModulesContainer) => {
    for (const module of modules.values()) {
      if (module.metatype !== ScheduleModule) continue;
      const wrapper = module.getProviderByKey<SchedulerRegistry>(SchedulerRegistry);
      await new Injector().loadProvider(wrapper, module);
      return wrapper.instance;
    }
    return new SchedulerRegistry();
  },
};
