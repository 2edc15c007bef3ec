import { ConfigurableModuleBuilder, type FactoryProvider, type ModuleMetadata } from '@nestjs/common';
import { ActivityHealth } from './redis/activity-health';
import { ActivityService } from './recording/activity.service';
import { METRICS_REGISTRY } from './observability/shared-metrics';
import { getActivityToken } from './options/activity-token';
import { resolveOptions } from './options/resolve-options';
import { ACTIVITY_SETTINGS } from './options/settings';
import { RankService } from './ranks/rank.service';
import { VisitInterceptor } from './visits/visit.interceptor';
import { ActivityController } from './recording/activity.controller';
import type { ActivityModuleExtras, ActivityModuleOptions } from './options/activity.options';
import { MOUNTING, withRoutes } from './http/mounting';
import { RankController } from './ranks/rank.controller';

/** Extras beside the options; `imports` bring providers that they need, and the app's `USER_DIRECTORY`. */
type Extras = Required<Pick<ActivityModuleExtras, 'name' | 'isGlobal' | 'controllers'>> &
  Pick<ModuleMetadata, 'imports'>;

/** The module's own routes. */
const routes = [RankController, ActivityController];

const defaults: Extras = { name: undefined, isGlobal: true, controllers: {}, imports: [] };

function settingsProvider(name: string | undefined): FactoryProvider {
  return {
    provide: ACTIVITY_SETTINGS,
    inject: [MODULE_OPTIONS_TOKEN],
    useFactory: (options: ActivityModuleOptions) => resolveOptions(options, name),
  };
}

/** The classes that apps inject of a named module. */
const named = [ActivityService, RankService, VisitInterceptor, ActivityHealth, METRICS_REGISTRY];

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<ActivityModuleOptions>({ moduleName: 'Activity' })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createActivityOptions')
    .setExtras(defaults, (definition, { name, isGlobal, controllers, imports = [] }) => {
      const aliasOf = (alias: string) =>
        named.map((one) => ({ provide: getActivityToken(one, alias), useExisting: one }));
      const aliases = name === undefined ? [] : aliasOf(name);
      const mounting = { provide: MOUNTING, useValue: controllers };
      const providers = [settingsProvider(name), mounting, ...aliases, ...(definition.providers ?? [])];
      const exports = [MOUNTING, ...aliases.map(({ provide }) => provide), ...(definition.exports ?? [])];
      const all = [...new Set([...(definition.imports ?? []), ...imports])];
      return withRoutes({ ...definition, global: isGlobal, imports: all, providers, exports }, routes, controllers);
    })
    .build();
