import type { FactoryProvider } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { Injector } from '@nestjs/core/injector/injector.js';
import { EventEmitter2, EventEmitterModule } from '@nestjs/event-emitter';

/**
 * The app's own `EventEmitter2` where it imports `EventEmitterModule`, else one of the module's, so that an app that
 * imports nothing but `ActivityModule` can emit as well. There is never a second emitter on which events could get lost:
 * importing `EventEmitterModule` here would give the app two, one of them without its options.
 */
export const emitterProvider: FactoryProvider<Promise<EventEmitter2>> = {
  provide: EventEmitter2,
  inject: [ModulesContainer],
  useFactory: async (modules: ModulesContainer) => {
    for (const module of modules.values()) {
      if (module.metatype !== EventEmitterModule) continue;
      const wrapper = module.getProviderByKey<EventEmitter2>(EventEmitter2);
      await new Injector().loadProvider(wrapper, module);
      return wrapper.instance;
    }
    return new EventEmitter2();
  },
};
