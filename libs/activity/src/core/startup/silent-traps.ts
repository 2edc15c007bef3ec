import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { SCORES_VISITS } from '../visits/visit.decorators';
import { VisitInterceptor } from '../visits/visit.interceptor';

type Wrapper = ReturnType<DiscoveryService['getControllers']>[number];

/** A method of a controller, and what to call it. */
interface Method {
  readonly name: string;
  readonly owner: object;
  readonly handler: object;
}

/**
 * Tells at the start what an app has written that would never work, and nobody would notice: by name, with the line to
 * add.
 */
@Injectable()
export class SilentTraps implements OnApplicationBootstrap {
  private readonly logger = new Logger('Laurel');

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly modules: ModulesContainer,
  ) {}

  onApplicationBootstrap(): void {
    for (const { name } of this.unwatchedPages()) {
      this.logger.warn(
        `${name} has @ScoreVisit() and earns nothing: provide { provide: APP_INTERCEPTOR, useExisting: VisitInterceptor }.`,
      );
    }
  }

  private unwatchedPages(): readonly Method[] {
    if (this.isInterceptorUsed()) return [];
    /** Neither they nor a route of them has `@UseInterceptors(VisitInterceptor)`. */
    const unwatched = this.discovery
      .getControllers()
      .filter((one) => !one.getEnhancersMetadata()?.some(({ metatype }) => metatype === VisitInterceptor));
    return this.methods(unwatched).filter(({ owner, handler }) => {
      const of = Reflect.hasMetadata(SCORES_VISITS, handler) ? handler : owner;
      return Boolean(Reflect.getMetadata(SCORES_VISITS, of)) && Reflect.hasMetadata('path', handler);
    });
  }

  /** Whether it is registered globally, or asked for by something of the app's that calls it. */
  private isInterceptorUsed(): boolean {
    const providers = this.discovery.getProviders();
    const injectables = [...this.modules.values()].flatMap((module) => [...module.injectables.values()]);
    return [...providers, ...injectables].some(({ token, instance, metatype }) => {
      if (String(token).startsWith('APP_INTERCEPTOR') && instance instanceof VisitInterceptor) return true;
      const parameters: unknown = metatype ? Reflect.getMetadata('design:paramtypes', metatype) : undefined;
      return Array.isArray(parameters) && parameters.includes(VisitInterceptor);
    });
  }

  private methods(wrappers: readonly Wrapper[]): Method[] {
    return wrappers.flatMap(({ metatype }) => {
      const prototype: unknown = typeof metatype === 'function' ? metatype.prototype : undefined;
      if (typeof metatype !== 'function' || typeof prototype !== 'object' || prototype === null) return [];
      return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
        const handler: unknown = Reflect.get(prototype, name);
        return typeof handler === 'function' ? [{ name: `${metatype.name}.${name}`, owner: metatype, handler }] : [];
      });
    });
  }
}
