import type { DynamicModule, ModuleMetadata, Type } from '@nestjs/common';
import type { ControllerConfig } from '../options/activity.options';
import { optionFault } from '../errors/option-error';
import { canValidate } from '../peers/decorators';
import { mounted } from './mounted';

/** What shapes a module beside `ActivityModule`; given beside its options. */
export interface ModuleBesideExtras extends Pick<ModuleMetadata, 'imports'> {
  /** The `ActivityModule` that the module adds to: what its `forRoot` returned. Default: the global one. */
  readonly activity?: DynamicModule | undefined;
  /** Whether other modules need not import it. Default true. */
  readonly isGlobal?: boolean;
  /** The module's routes: `false` leaves them out. Default: as those of `activity` where that is given, else on. */
  readonly controllers?: false | ControllerConfig | undefined;
}

/** The defaults for `setExtras` of a module beside: it names every extra. */
export const besideExtras: ModuleBesideExtras = {
  activity: undefined,
  isGlobal: true,
  controllers: undefined,
  imports: [],
};

const controllersOf = new WeakMap<DynamicModule, false | ControllerConfig>();

/** The module with its routes, mounted as `controllers` says; modules beside that name it mount theirs so, too. */
export function withRoutes(
  definition: DynamicModule,
  routes: readonly Type[],
  controllers: false | ControllerConfig,
): DynamicModule {
  if (controllers !== false && !canValidate) {
    throw optionFault(
      'controllers',
      'need class-validator and class-transformer, which are not installed',
      'npm install class-validator class-transformer, or set controllers: false',
    );
  }
  const module = {
    ...definition,
    controllers: controllers === false ? [] : routes.map((controller) => mounted(controller, controllers)),
  };
  controllersOf.set(module, controllers);
  return module;
}

/** For `setExtras` of a module beside: imports the `ActivityModule` that it adds to, and mounts its routes. */
export function besideActivity(
  routes: readonly Type[],
): (definition: DynamicModule, extras: ModuleBesideExtras) => DynamicModule {
  return (definition, { activity, isGlobal = true, controllers, imports = [] }) => {
    const all = [...(definition.imports ?? []), ...imports, ...(activity ? [activity] : [])];
    const shown = controllers ?? (activity && controllersOf.get(activity)) ?? {};
    return withRoutes({ ...definition, global: isGlobal, imports: [...new Set(all)] }, routes, shown);
  };
}
