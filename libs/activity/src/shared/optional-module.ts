import {
  type ConfigurableModuleAsyncOptions,
  ConfigurableModuleBuilder,
  type DynamicModule,
  type InjectionToken,
  type ModuleMetadata,
  type Type,
} from '@nestjs/common';
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

/** The static methods of an optional module with options of its own. */
export interface ConfigurableModule<Options, FactoryMethod extends string> {
  new (): object;
  /**
   * The module with these options. A bad one stops the app's start.
   * @throws ActivityError `invalidOption` at the start, which names each bad option, its value and what is allowed.
   */
  forRoot(options?: Options & OptionalModuleExtras): DynamicModule;
  /** The module with the options that a factory or a class gives, from what it `inject`s. */
  forRootAsync(options: ConfigurableModuleAsyncOptions<Options, FactoryMethod> & OptionalModuleExtras): DynamicModule;
}

/** The base class of an optional module with options of its own, and the token that injects them as they were given. */
export function configurableModule<Options, Name extends string>(
  moduleName: Name,
  routes: readonly Type[],
): { readonly Base: ConfigurableModule<Options, `create${Name}Options`>; readonly OPTIONS: InjectionToken } {
  const extras: OptionalModuleExtras = { activity: undefined, isGlobal: true, controllers: undefined, imports: [] };
  const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: OPTIONS } = new ConfigurableModuleBuilder<Options>({
    moduleName,
  })
    .setClassMethodName('forRoot')
    .setFactoryMethodName(`create${moduleName}Options` as const)
    .setExtras(extras, optionalModule(routes))
    .build();
  class Base extends ConfigurableModuleClass {
    static override forRoot(options = {} as Options & OptionalModuleExtras): DynamicModule {
      return super.forRoot(options);
    }
  }
  return { Base, OPTIONS };
}

/** The base class of an optional module that has no options of its own. */
export function plainModule(routes: readonly Type[]) {
  return class {
    /** The module. */
    static forRoot(extras: OptionalModuleExtras = {}): DynamicModule {
      return optionalModule(routes)({ module: this }, extras);
    }
  };
}

/** Imports the `ActivityModule` that an optional module adds to, and mounts its routes. */
function optionalModule(
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
