import {
  applyDecorators,
  Controller,
  SetMetadata,
  UseGuards,
  UseInterceptors,
  type CanActivate,
  type Type,
} from '@nestjs/common';
import { OperationInterceptor } from './operation.interceptor';

/** Metadata of controllers: their own path. */
const OWN_PATH = Symbol('OWN_PATH');

/**
 * A controller of the module at its path. Its guards stand on each route, so that those that an app puts on the
 * controller, which may throttle or audit, run before them.
 */
export function Routes(path: string, ...guards: readonly Type<CanActivate>[]): ClassDecorator {
  return applyDecorators(
    Controller(path),
    SetMetadata(OWN_PATH, path),
    ({ prototype }: { readonly prototype: object }) => {
      for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
        const isMethod = name !== 'constructor' && typeof descriptor.value === 'function';
        if (!isMethod || guards.length === 0) continue;
        UseGuards(...guards)(prototype, name, descriptor);
        UseInterceptors(OperationInterceptor)(prototype, name, descriptor);
      }
    },
  );
}

/** The path of a controller with {@link Routes}. */
export function ownPathOf(controller: Type): string {
  return Reflect.getMetadata(OWN_PATH, controller) as string;
}
