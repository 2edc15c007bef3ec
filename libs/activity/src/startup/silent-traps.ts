import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { INTERCEPTORS_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { SCORES_VISITS } from '../visits/visit.decorators';
import { VisitInterceptor } from '../visits/visit.interceptor';

/** Where `@OnEvent` of `@nestjs/event-emitter` notes what a method listens to. */
const onEventKey = 'EVENT_LISTENER_METADATA';

/** A method of a provider or controller, and what to call it. */
interface Method {
  readonly name: string;
  readonly owner: object;
  readonly handler: object;
}

/** Tells at the start what an app has written that would never work, and nobody would notice: by name, with the line to add. */
@Injectable()
export class SilentTraps implements OnApplicationBootstrap {
  private readonly logger = new Logger('Laurel');

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly modules: ModulesContainer,
  ) {}

  onApplicationBootstrap(): void {
    for (const { name } of this.deafListeners()) {
      this.logger.warn(
        `${name} has @OnEvent and hears nothing: import EventEmitterModule.forRoot() of @nestjs/event-emitter.`,
      );
    }
    for (const { name } of this.unwatchedPages()) {
      this.logger.warn(
        `${name} has @ScoreVisit() and earns nothing: provide { provide: APP_INTERCEPTOR, useExisting: VisitInterceptor }.`,
      );
    }
  }

  private deafListeners(): readonly Method[] {
    if ([...this.modules.values()].some(({ metatype }) => metatype === EventEmitterModule)) return [];
    return this.methods([...this.discovery.getProviders(), ...this.discovery.getControllers()]).filter(({ handler }) =>
      Reflect.hasMetadata(onEventKey, handler),
    );
  }

  private unwatchedPages(): readonly Method[] {
    const pages = this.methods(this.discovery.getControllers()).filter(({ owner, handler }) => {
      const found: unknown = Reflect.getMetadata(SCORES_VISITS, handler) ?? Reflect.getMetadata(SCORES_VISITS, owner);
      return Boolean(found) && Reflect.getMetadata(SCORES_VISITS, handler) !== null && isRoute(handler);
    });
    if (pages.length === 0 || this.isInterceptorUsed()) return [];
    return pages.filter(({ owner, handler }) => ![owner, handler].some(hasInterceptor));
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

  private methods(wrappers: ReturnType<DiscoveryService['getProviders']>): Method[] {
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

function isRoute(handler: object): boolean {
  return Reflect.hasMetadata('path', handler);
}

function hasInterceptor(target: object): boolean {
  const found: unknown = Reflect.getMetadata(INTERCEPTORS_METADATA, target);
  return Array.isArray(found) && found.some((one) => one === VisitInterceptor || one instanceof VisitInterceptor);
}
