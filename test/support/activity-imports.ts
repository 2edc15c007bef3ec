import {
  AccountModule,
  ActivityModule,
  AdminModule,
  LiveModule,
  LiveRulesModule,
  ModerationModule,
  SettlementModule,
  TitlesModule,
  type ActivityModuleExtras,
  type ActivityModuleOptions,
  type LiveModuleOptions,
  type SettlementModuleOptions,
  type TitlesModuleOptions,
} from '@laurel/activity';
import { RewardsModule, type RewardsModuleOptions } from '@laurel/activity/rewards';
import { ReportsModule } from '@laurel/reports';
import { patient } from './patient';
import type { ModuleMetadata } from '@nestjs/common';
import { EventEmitterModule } from '@nestjs/event-emitter';

type Imports = NonNullable<ModuleMetadata['imports']>;

/** The options of the module and of all optional modules, in one object. */
export interface AllOptions extends ActivityModuleOptions {
  /** `false`: past periods are read, and other instances settle. */
  readonly settlement?: false | SettlementModuleOptions | undefined;
  readonly titles?: TitlesModuleOptions | undefined;
  readonly streams?: LiveModuleOptions | undefined;
  /** Left out: the module is not imported. */
  readonly rewards?: RewardsModuleOptions | undefined;
}

/** What shapes all of them. */
export type AllExtras = ActivityModuleExtras & Pick<ModuleMetadata, 'imports'>;

/**
 * The module, all optional modules, and the emitter that they need.
 * @param others what else the app imports: where that has an emitter, none is added.
 */
export function activityImports(given: AllOptions & AllExtras, others: Imports = []): Imports {
  const { settlement, titles, streams, rewards, ...options } = { ...patient, ...given };
  const activity = ActivityModule.forRoot(options);
  const { imports = [], isGlobal = true } = options;
  const extras = isGlobal ? { imports } : { activity, imports, isGlobal };
  const isEmitting = [...imports, ...others].some((one) => 'module' in one && one.module === EventEmitterModule);
  return [
    ...others,
    ...(isEmitting ? [] : [EventEmitterModule.forRoot()]),
    SettlementModule.forRoot({ ...(settlement === false ? { settles: false } : settlement), ...extras }),
    LiveModule.forRoot({ ...streams, ...extras }),
    activity,
    TitlesModule.forRoot({ ...titles, ...extras }),
    AccountModule.forRoot(extras),
    AdminModule.forRoot(extras),
    LiveRulesModule.forRoot(extras),
    ModerationModule.forRoot(extras),
    ...(rewards ? [RewardsModule.forRoot({ ...rewards, ...extras })] : []),
    ReportsModule.forRoot(extras),
  ];
}
