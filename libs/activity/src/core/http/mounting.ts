import { applyDecorators, Controller, type DynamicModule, type Type, UseFilters, UseGuards } from '@nestjs/common';
import { optionError, optionFault } from '../errors/option-error';
import type { ControllerConfig } from '../options/activity.options';
import { ApiParam, canValidate } from '../peers/decorators';
import { ProblemFilter } from './problem.filter';

/** How a module mounts its routes; `false` leaves them out. */
export type Mounting = false | ControllerConfig;

/** Injects the {@link Mounting} of the `ActivityModule`. */
export const MOUNTING = Symbol('MOUNTING');

const mountings = new WeakMap<DynamicModule, Mounting>();
let latest: Mounting = {};

/** The `ActivityModule` with its routes. */
export function withRoutes(definition: DynamicModule, routes: readonly Type[], mounting: Mounting): DynamicModule {
  const controllers = mounted(routes, mounting);
  const module: DynamicModule = {
    ...definition,
    get controllers() {
      if (definition.global === true) latest = mounting;
      return controllers;
    },
  };
  mountings.set(module, mounting);
  return module;
}

/**
 * How an `ActivityModule` mounts its routes; without one, the global one of the app that Nest looks through: it comes
 * upon all modules before it takes the controllers of any.
 */
export function mountingOf(module?: DynamicModule): Mounting | undefined {
  return module ? mountings.get(module) : latest;
}

/**
 * Controllers at an app's own path, with its guards and decorators. Each is a class of its own, so that two modules of
 * one process, or a test's, do not change each other's.
 */
export function mounted(routes: readonly Type[], mounting: Mounting): Type[] {
  if (mounting === false || routes.length === 0) return [];
  const { path = '', guards = [], decorators = [] } = mounting;
  if (!canValidate) {
    throw optionFault(
      'controllers',
      'need class-validator and class-transformer, which are not installed',
      'npm install class-validator class-transformer, or set controllers: false',
    );
  }
  if (!/^\/?([^/\s?#]+\/)*([^/\s?#]+)?$/.test(path)) {
    throw optionError('controllers.path', path, 'use segments with one "/" between them: "api" or "/api/v1"');
  }
  return routes.map((controller) => {
    const Mounted = class extends controller {};
    // OpenAPI names operations after the class.
    Object.defineProperty(Mounted, 'name', { value: controller.name });
    const ownPath = Reflect.getMetadata('path', controller) as string;
    Controller(`${path}/${ownPath}`.replace(/\/{2,}/g, '/'))(Mounted);
    UseGuards(...guards)(Mounted);
    for (const decorate of decorators) decorate(Mounted);
    return Mounted;
  });
}

/**
 * A controller of the module at its path, whose errors are answered as problem documents.
 * @param onEach put on each route. Guards there run after those that an app puts on the controller, which may throttle
 * or audit.
 */
export function Routes(path: string, ...onEach: readonly MethodDecorator[]): ClassDecorator {
  return applyDecorators(
    Controller(path),
    UseFilters(ProblemFilter),
    ({ prototype }: { readonly prototype: object }) => {
      for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
        if (name === 'constructor' || typeof descriptor.value !== 'function') continue;
        const handler = descriptor.value as object;
        const route = `${path}/${String(Reflect.getMetadata('path', handler))}`;
        if (route.includes(':userId')) ApiParam({ name: 'userId', example: '42' })(prototype, name, descriptor);
        for (const decorate of onEach) decorate(prototype, name, descriptor);
      }
    },
  );
}
