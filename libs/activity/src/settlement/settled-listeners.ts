import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { AppEvents } from '../core/recording/app-events';
import { ActivityError } from '../core/errors/errors';
import { LeaderboardSettledEvent } from './leaderboard-settled.event';
import { listenerNameAllowed, listenerNamePattern, settledListenerName, type HearSettled } from './settled-listener';
import { SETTLEMENT_SETTINGS, type SettlementSettings } from './settlement.options';

/** A listener that this instance has. */
export interface NamedListener {
  readonly name: string;
  readonly hear: HearSettled;
}

/** A method of a provider or a controller. */
interface ProviderMethod {
  /** `PrizesService.givePrizes` */
  readonly label: string;
  readonly instance: object;
  readonly method: HearSettled;
  readonly isSingleton: boolean;
}

/** Where `@OnEvent` leaves what it was given: on the method, by this name. */
const onEventMetadata = 'EVENT_LISTENER_METADATA';

const { eventName } = LeaderboardSettledEvent;

/**
 * The listeners to settled periods that this instance has: those marked by `@SettledListener`, each by its name, and
 * those of the plain event, all of them together, by the event's name.
 */
@Injectable()
export class SettledListeners implements OnModuleInit {
  private readonly logger = new Logger(SettledListeners.name);
  private named: readonly NamedListener[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly events: AppEvents,
    @Inject(SETTLEMENT_SETTINGS) private readonly settings: SettlementSettings,
  ) {}

  /** As it is now: listeners of the plain event come and go. */
  own(): readonly NamedListener[] {
    const name = this.events.nameOf(eventName);
    if (!this.events.isHeard(name)) return this.named;
    return [...this.named, { name: eventName, hear: (event) => this.events.emitter.emitAsync(name, event) }];
  }

  /**
   * Finds them, wherever in the app they are provided.
   * @throws ActivityError `invalidOption` where a name is malformed or taken, or a listener is no singleton.
   */
  onModuleInit(): void {
    const labels = new Map<string, string>();
    const named: NamedListener[] = [];
    for (const { label, instance, method, isSingleton } of this.methods()) {
      this.warnOfSwallowed(label, method);
      const name = settledListenerName(method);
      // A class that several modules provide is one listener.
      if (name === undefined || labels.get(name) === label) continue;
      if (typeof name !== 'string' || !listenerNamePattern.test(name)) {
        throw listenerError(`the name of ${label} is ${JSON.stringify(name)}: use ${listenerNameAllowed}`);
      }
      const taken = labels.get(name);
      if (taken) throw listenerError(`${taken} and ${label} are both named "${name}": give each a name of its own`);
      if (!isSingleton) {
        throw listenerError(`${label} is request-scoped: make it and its dependencies singletons`);
      }
      labels.set(name, label);
      named.push({ name, hear: (event, signal) => Reflect.apply(method, instance, [event, signal]) });
    }
    this.named = named;
    if (named.length === 0 || this.settings.settles) return;
    const names = named.map(({ name }) => `"${name}"`).join(', ');
    this.logger.warn(`This instance does not settle ("settles" is false): its listeners ${names} are not called.`);
  }

  private *methods(): Generator<ProviderMethod> {
    for (const wrapper of [...this.discovery.getProviders(), ...this.discovery.getControllers()]) {
      const instance: unknown = wrapper.instance;
      if (typeof instance !== 'object' || instance === null || wrapper.isAlias) continue;
      const prototype: unknown = Object.getPrototypeOf(instance);
      if (typeof prototype !== 'object' || prototype === null) continue;
      for (const key of this.scanner.getAllMethodNames(prototype)) {
        const method: unknown = Reflect.get(prototype, key);
        if (typeof method !== 'function') continue;
        yield {
          label: `${instance.constructor.name}.${key}`,
          instance,
          method: method as HearSettled,
          isSingleton: wrapper.isDependencyTreeStatic(),
        };
      }
    }
  }

  /**
   * Nest catches what such a handler throws, unless it is told not to: nobody would know that the prize was not given.
   */
  private warnOfSwallowed(label: string, method: object): void {
    const found: unknown = Reflect.getMetadata(onEventMetadata, method);
    const handlers = (Array.isArray(found) ? found : [found]) as readonly (
      { readonly event?: unknown; readonly options?: { readonly suppressErrors?: boolean } } | undefined
    )[];
    for (const handler of handlers) {
      const isOurs = handler !== undefined && [handler.event].flat().join('.') === eventName;
      if (!isOurs || handler.options?.suppressErrors === false) continue;
      this.logger.warn(
        `Nest swallows the errors of ${label}, which handles "${eventName}" by @OnEvent: where it fails, the announcement ` +
          `counts as heard and is not repeated. Mark it with @SettledListener('a-name') instead, or give @OnEvent ` +
          `{ suppressErrors: false }.`,
      );
    }
  }
}

function listenerError(message: string): ActivityError {
  return new ActivityError('invalidOption', `Settled listeners: ${message}.`);
}
