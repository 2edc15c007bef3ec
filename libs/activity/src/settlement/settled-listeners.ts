import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { ActivityError } from '../core/errors/errors';
import type { Title } from '../core/extensions/standings';
import { AppEvents } from '../core/recording/app-events';
import type { ArchivedEntry } from './archive/standings-archive';
import {
  listenerNameAllowed,
  listenerNamePattern,
  SETTLEMENT_SETTINGS,
  type SettlementSettings,
} from './settlement.options';

/** One of the first of a settled period. */
export interface Winner extends ArchivedEntry {
  /** The title that they won; null: none. Left out where no titles were settled with the period. */
  readonly title?: Title | null;
}

/**
 * Announced to each listener when the standings of a period are final, until it has acknowledged once. It is announced
 * again, with the same `id`, if a listener rejects or takes too long, or if its process crashes, pauses for longer than
 * the lease or ends before the acknowledgement is stored.
 */
export class LeaderboardSettledEvent {
  static readonly eventName = 'leaderboard.settled';

  /** Identifies the announcement: store it to do something once. */
  readonly id: string;

  constructor(
    readonly leaderboard: string,
    /** The period's key. */
    readonly period: string,
    /** How many users are shown. */
    readonly total: number,
    /** As `SettledPeriod` has it. */
    readonly checksum: string,
    /** The first shown users, in order. */
    readonly winners: readonly Winner[],
  ) {
    this.id = `${leaderboard}:${period}`;
  }
}

/**
 * Receives settled periods. Its promise is awaited: the period is acknowledged when it resolves. The signal is aborted
 * at the deadline, or when the app stops: the listener is then called again later.
 */
export type HearSettled = (event: LeaderboardSettledEvent, signal: AbortSignal) => unknown;

const metadataKey = Symbol('laurel:settled-listener');

/**
 * Marks a method of a provider as a named listener: each settled period is announced to it until it has resolved once,
 * on any instance of the app, across crashes and restarts. It hears one period at a time, in the order in which they
 * closed, and later those that it did not acknowledge. Acknowledgements are stored under the name: keep it when you
 * rename the class or the method, and give no two listeners the same.
 *
 * `@SettledListener('prizes') async givePrizes({ id, winners }: LeaderboardSettledEvent, signal: AbortSignal) { … }`
 */
export function SettledListener(
  name: string,
): <T extends HearSettled>(target: object, key: string | symbol, descriptor: TypedPropertyDescriptor<T>) => void {
  return (_target, _key, { value }) => {
    if (value) Reflect.defineMetadata(metadataKey, name, value);
  };
}

/** A listener that this instance has. */
export interface NamedListener {
  readonly name: string;
  readonly hear: HearSettled;
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
    if (!this.events.isHeard(eventName)) return this.named;
    const name = this.events.nameOf(eventName);
    return [...this.named, { name: eventName, hear: (event) => this.events.emitter.emitAsync(name, event) }];
  }

  /**
   * Finds them, wherever in the app they are provided.
   * @throws ActivityError `invalidOption` where a name is malformed or taken, or a listener is no singleton.
   */
  onModuleInit(): void {
    const labels = new Map<string, string>();
    const named: NamedListener[] = [];
    for (const wrapper of [...this.discovery.getProviders(), ...this.discovery.getControllers()]) {
      const instance: unknown = wrapper.instance;
      if (typeof instance !== 'object' || instance === null || wrapper.isAlias) continue;
      for (const key of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object | null)) {
        const method = Reflect.get(Object.getPrototypeOf(instance) as object, key) as HearSettled;
        const label = `${instance.constructor.name}.${key}`;
        this.warnOfSwallowed(label, method);
        const name: unknown = Reflect.getMetadata(metadataKey, method);
        // A class that several modules provide is one listener.
        if (name === undefined || labels.get(name as string) === label) continue;
        if (typeof name !== 'string' || !listenerNamePattern.test(name)) {
          throw listenerError(`the name of ${label} is ${JSON.stringify(name)}: use ${listenerNameAllowed}`);
        }
        const taken = labels.get(name);
        if (taken) throw listenerError(`${taken} and ${label} are both named "${name}": give each a name of its own`);
        if (!wrapper.isDependencyTreeStatic()) {
          throw listenerError(`${label} is request-scoped: make it and its dependencies singletons`);
        }
        labels.set(name, label);
        named.push({ name, hear: (event, signal) => Reflect.apply(method, instance, [event, signal]) });
      }
    }
    this.named = named;
    if (named.length === 0 || this.settings.settles) return;
    const names = named.map(({ name }) => `"${name}"`).join(', ');
    this.logger.warn(`This instance does not settle ("settles" is false): its listeners ${names} are not called.`);
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
