import type { DynamicModule, ModuleMetadata, Type } from '@nestjs/common';
import { optionFault } from '../core/errors/option-error';
import { mounted, MOUNTING, mountingOf, type Mounting } from '../core/http/mounting';

/** Options of every optional module, given with its own. */
export interface OptionalModuleExtras extends Pick<ModuleMetadata, 'imports'> {
  /** The `ActivityModule` that the module adds to: what its `forRoot` returned. @defaultValue the global one */
  readonly activity?: DynamicModule | undefined;
  /** Whether other modules need not import it. @defaultValue `true` */
  readonly isGlobal?: boolean;
  /** How the module's routes are mounted; `false` leaves them out. @defaultValue as those of `activity` */
  readonly controllers?: Mounting | undefined;
}

/** Their defaults, for `setExtras`: it needs the name of every extra. */
export const optionalModuleExtras: OptionalModuleExtras = {
  activity: undefined,
  isGlobal: true,
  controllers: undefined,
  imports: [],
};

/** For `setExtras` of an optional module: imports the `ActivityModule` that it adds to, and mounts its routes. */
export function optionalModule(
  routes: readonly Type[],
): (definition: DynamicModule, extras: OptionalModuleExtras) => DynamicModule {
  return (definition, { activity, isGlobal = true, controllers, imports = [] }) => {
    const all = [...(definition.imports ?? []), ...imports, ...(activity ? [activity] : [])];
    const module = { ...definition, global: isGlobal, imports: [...new Set(all)] };
    const mounting = controllers ?? (activity && mountingOf(activity));
    return mounting === undefined ? asTheCore(module, routes) : { ...module, controllers: mounted(routes, mounting) };
  };
}

/** The module with its routes mounted as those of the app's global `ActivityModule`, whichever is imported first. */
function asTheCore(module: DynamicModule, routes: readonly Type[]): DynamicModule {
  if (routes.length === 0) return module;
  const controllers: Type[] = [];
  let taken: Mounting | undefined;
  controllers[Symbol.iterator] = () => {
    taken = mountingOf() ?? {};
    return mounted(routes, taken).values();
  };
  const useFactory = (core: Mounting) => {
    if (core === taken) return;
    throw optionFault('controllers', 'are not those of ActivityModule', 'give this module `activity` or `controllers`');
  };
  const check = { provide: Symbol('controllers as those of ActivityModule'), inject: [MOUNTING], useFactory };
  return { ...module, controllers, providers: [...(module.providers ?? []), check] };
}
