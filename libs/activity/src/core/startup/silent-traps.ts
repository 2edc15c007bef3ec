import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { SCORES_VISITS } from '../visits/visit.decorators';
import { VisitInterceptor } from '../visits/visit.interceptor';

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
    if (this.isInterceptorUsed()) return;
    for (const controller of this.discovery.getControllers()) {
      const { metatype } = controller;
      // It, or a route of it, has `@UseInterceptors(VisitInterceptor)`.
      const isWatched = controller.getEnhancersMetadata()?.some((one) => one.metatype === VisitInterceptor);
      if (isWatched || typeof metatype !== 'function') continue;
      for (const name of this.scoredRoutes(metatype)) {
        this.logger.warn(
          `${metatype.name}.${name} has @ScoreVisit() and earns nothing: provide { provide: APP_INTERCEPTOR, useExisting: VisitInterceptor }.`,
        );
      }
    }
  }

  /** The names of a controller's handlers whose visits score. */
  private scoredRoutes(controller: { readonly prototype: object }): string[] {
    return this.scanner.getAllMethodNames(controller.prototype).filter((name) => {
      const handler = Reflect.get(controller.prototype, name) as object;
      const of = Reflect.hasMetadata(SCORES_VISITS, handler) ? handler : controller;
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
}
