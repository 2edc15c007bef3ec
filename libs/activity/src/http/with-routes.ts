import type { DynamicModule, Type } from '@nestjs/common';
import type { ControllerConfig } from '../options/activity.options';
import { optionFault } from '../errors/option-error';
import { canValidate } from '../peers/decorators';
import { mounted } from './mounted';

const mountedAs = new WeakMap<DynamicModule, false | ControllerConfig>();

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
  mountedAs.set(module, controllers);
  return module;
}

/** How a module that {@link withRoutes} made mounts its routes; undefined of any other. */
export function controllersOf(module: DynamicModule): false | ControllerConfig | undefined {
  return mountedAs.get(module);
}
