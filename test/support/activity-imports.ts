import {
  ActivityModule,
  LiveModule,
  SettlementModule,
  TitlesModule,
  type ActivityModuleExtras,
  type ActivityModuleOptions,
  type LiveModuleOptions,
  type SettlementModuleOptions,
  type TitlesModuleOptions,
} from '../../libs/activity/src';
import type { DynamicModule, ModuleMetadata } from '@nestjs/common';

/** The options of the module and of all modules beside it, in one object. */
export interface AllOptions extends ActivityModuleOptions {
  /** `false`: past periods are read, and other instances settle. */
  readonly settlement?: false | SettlementModuleOptions | undefined;
  readonly titles?: TitlesModuleOptions | undefined;
  readonly streams?: LiveModuleOptions | undefined;
}

/** What shapes all of them. */
export type AllExtras = ActivityModuleExtras & Pick<ModuleMetadata, 'imports'>;

/** The module and all modules beside it. */
export function activityImports(given: AllOptions & AllExtras): DynamicModule[] {
  const { settlement, titles, streams, ...options } = given;
  const activity = ActivityModule.forRoot(options);
  const { imports = [], isGlobal = true } = options;
  const extras = { activity, imports, isGlobal };
  return [
    activity,
    SettlementModule.forRoot({ ...(settlement === false ? { settles: false } : settlement), ...extras }),
    LiveModule.forRoot({ ...streams, ...extras }),
    TitlesModule.forRoot({ ...titles, ...extras }),
  ];
}
