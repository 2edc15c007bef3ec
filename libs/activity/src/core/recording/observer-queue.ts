import { cachedWith } from '@laurel/leaderboard/internals';
import fastq, { type queueAsPromised } from 'fastq';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { within } from '../deadlines/deadline';
import type { ObserverConfig } from '../options/activity.options';

export interface ObserverQueueOptions extends Required<ObserverConfig> {
  /** Told of a listener that threw, took too long, or is so far behind that it misses an event. */
  readonly onFailure: (event: string, reason: ObserverFailure, error?: unknown) => void;
}

export type ObserverFailure = 'threw' | 'timeout' | 'missed';

/** Hears of an event; what it returns is awaited. */
export type Observer = () => unknown;

/**
 * Delivers events to listeners in the background. Each listener has a line of its own, so that a slow one holds up
 * neither the producer nor another listener.
 */
export class ObserverQueue {
  /** By listener; a line goes with its listener. */
  private readonly lines = new WeakMap<object, queueAsPromised<() => Promise<void>, void>>();
  private taken = 0;
  /** Resolves in the turn of the event loop after the producer's: the caller's answer goes first. */
  private turn: Promise<void> | undefined;
  private onIdle: (() => void) | undefined;

  constructor(private readonly options: ObserverQueueOptions) {}

  /** How much waits or is under way: each event for each of its listeners. */
  get waiting(): number {
    return this.taken;
  }

  /** Brings one event to listeners, in a later turn, as the line of each comes to it. Each is known by its `key`. */
  push(event: string, observers: readonly { readonly key: object; readonly hear: Observer }[]): void {
    const turn = (this.turn ??= nextTurn().then(() => (this.turn = undefined)));
    for (const { key, hear } of observers) {
      const line = cachedWith(this.lines, key, this.newLine);
      if (line.length() < this.options.maxWaiting) {
        this.taken += 1;
        void line.push(() => this.run(event, hear, turn));
      } else {
        this.options.onFailure(event, 'missed');
      }
    }
  }

  /** Resolves when all listeners are done, or after `withinMs`. */
  async close(withinMs: number): Promise<void> {
    if (this.taken === 0) return;
    const idle = new Promise<void>((resolve) => (this.onIdle = resolve));
    await within(withinMs, idle, () => undefined);
  }

  private readonly newLine = () => fastq.promise((run: () => Promise<void>) => run(), this.options.concurrency);

  /** Never rejects. */
  private async run(event: string, hear: Observer, turn: Promise<void>): Promise<void> {
    await turn;
    try {
      const heard = hear();
      if (heard === undefined) return;
      await within(this.options.timeoutMs, Promise.resolve(heard), () => this.options.onFailure(event, 'timeout'));
    } catch (error) {
      this.options.onFailure(event, 'threw', error);
    } finally {
      this.taken -= 1;
      if (this.taken === 0) this.onIdle?.();
    }
  }
}
