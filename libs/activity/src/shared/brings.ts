import type { FactoryProvider, Type } from '@nestjs/common';
import { type Extension, Extensions } from '../core/extensions/extensions';

type InstancesOf<Types extends readonly Type[]> = { [Index in keyof Types]: InstanceType<Types[Index]> };

/** A provider of an optional module: brings the core something made of the module's other providers. */
export function brings<Types extends readonly Type[]>(
  inject: readonly [...Types],
  made: (...providers: InstancesOf<Types>) => Extension,
): FactoryProvider {
  return {
    provide: Symbol('what the module brings to ActivityModule'),
    inject: [Extensions, ...inject],
    useFactory: (extensions: Extensions, ...providers: InstancesOf<Types>) => extensions.add(made(...providers)),
  };
}
