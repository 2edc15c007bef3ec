import type { DynamicModule, ModuleMetadata, Type } from '@nestjs/common';
import { controllersOf, withRoutes } from '../http/with-routes';
import type { ControllerConfig } from '../options/activity.options';

/** What shapes a module beside `ActivityModule`; given beside its options. */
export interface ModuleBesideExtras extends Pick<ModuleMetadata, 'imports'> {
  /** The `ActivityModule` that the module adds to: what its `forRoot` returned. @defaultValue the global one */
  readonly activity?: DynamicModule | undefined;
  /** Whether other modules need not import it. @defaultValue `true` */
  readonly isGlobal?: boolean;
  /** How the module's routes are mounted; `false` leaves them out. @defaultValue as those of `activity` */
  readonly controllers?: false | ControllerConfig | undefined;
}

/** The defaults for `setExtras` of a module beside: it names every extra. */
export const besideExtras: ModuleBesideExtras = {
  activity: undefined,
  isGlobal: true,
  controllers: undefined,
  imports: [],
};

/** For `setExtras` of a module beside: imports the `ActivityModule` that it adds to, and mounts its routes. */
export function besideActivity(
  routes: readonly Type[],
): (definition: DynamicModule, extras: ModuleBesideExtras) => DynamicModule {
  return (definition, { activity, isGlobal = true, controllers, imports = [] }) => {
    const all = [...(definition.imports ?? []), ...imports, ...(activity ? [activity] : [])];
    const shown = controllers ?? (activity && controllersOf(activity)) ?? {};
    return withRoutes({ ...definition, global: isGlobal, imports: [...new Set(all)] }, routes, shown);
  };
}
