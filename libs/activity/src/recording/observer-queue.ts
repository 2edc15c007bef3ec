import fastq, { type queueAsPromised } from 'fastq';
import { AsyncLocalStorage } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { within } from '../deadlines/deadline';
import { ActivityError } from '../errors/errors';

export interface ObserverQueueOptions {
  /** Events that each listener may be at work on at once. */
  readonly concurrency: number;
  /** Most events that may wait or be under way; who would add more waits. */
  readonly maxWaiting: number;
  /** How long a listener may take over one event before it is no longer waited for. */
  readonly timeoutMs: number;
  /** Told of a listener that threw, or took too long. */
  readonly onFailure: (event: string, reason: ObserverFailure, error?: unknown) => void;
  /** Told when somebody has to wait for room. */
  readonly onFull: () => void;
}

export type ObserverFailure = 'threw' | 'timeout';

/** Hears of an event; what it returns is awaited. */
export type Observer = () => unknown;

/** An event, by its name, in the line of a listener. */
interface Heard {
  readonly event: string;
  readonly hear: Observer;
}

/** Who waits for room. */
interface Producer {
  readonly count: number;
  readonly admit: () => void;
  readonly refuse: (error: ActivityError) => void;
}

/** A listener at work on an event; whatever it starts and leaves running is not its work once it has ended. */
interface Hearing {
  isOver: boolean;
}

/**
 * Delivers events to listeners in the background. Each listener has a line of its own, so that a slow one holds up no
 * other. At most `maxWaiting` events are pending; producers wait for room. A listener that makes events itself does not
 * wait: room comes from listeners alone, so those that wait for each other's would never have any.
 */
export class ObserverQueue {
  /** By listener; a line goes with its listener. */
  private readonly lines = new WeakMap<object, queueAsPromised<Heard, void>>();
  private readonly producers: Producer[] = [];
  private readonly hearings = new AsyncLocalStorage<Hearing>();
  private taken = 0;
  private isClosed = false;
  private onIdle: (() => void) | undefined;

  constructor(private readonly options: ObserverQueueOptions) {}

  /** Events that wait or are under way, and those for which room is kept. */
  get waiting(): number {
    return this.taken;
  }

  /**
   * Keeps room for `count` events: at once where there is some, and for a listener at work, else when it is their turn.
   * More than fit at all have the room to themselves.
   * @param deadlineMs until when it waits, by `performance.now()`.
   * @throws ActivityError `overloaded` where there was none in time; `unavailable` where the queue is closed meanwhile.
   */
  async reserve(count: number, deadlineMs: number): Promise<void> {
    if ((this.producers.length === 0 && this.hasRoom(count)) || this.hearings.getStore()?.isOver === false) {
      this.taken += count;
      return;
    }
    this.options.onFull();
    const startedMs = performance.now();
    await new Promise<void>((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer);
        act();
      };
      const producer: Producer = {
        count,
        admit: () => settle(resolve),
        refuse: (error) => settle(() => reject(error)),
      };
      const timer = setTimeout(() => {
        this.producers.splice(this.producers.indexOf(producer), 1);
        const waitedMs = Math.round(performance.now() - startedMs);
        reject(new ActivityError('overloaded', `Listeners are behind, for ${waitedMs} ms: try again later.`));
        this.admit();
      }, deadlineMs - startedMs);
      this.producers.push(producer);
      this.admit();
    });
  }

  /** Keeps room for `count` events, whether or not there is some: those who wait for it wait for these as well. */
  take(count: number): void {
    this.taken += count;
  }

  /** Gives room back that was kept and not used. */
  release(count: number): void {
    if (count === 0) return;
    this.taken -= count;
    this.admit();
    if (this.taken === 0) this.onIdle?.();
  }

  /**
   * Brings one event, for which room was kept, to listeners: to each as its line comes to it, in a later turn. Each is
   * known by its `key`.
   */
  push(event: string, observers: readonly { readonly key: object; readonly hear: Observer }[]): void {
    let missing = observers.length;
    if (missing === 0) return this.release(1);
    const done = () => {
      missing -= 1;
      if (missing === 0) this.release(1);
    };
    for (const { key, hear } of observers) void this.lineOf(key).push({ event, hear }).then(done);
  }

  /** Refuses who waits for room, and resolves when all listeners are done, or after `withinMs`. */
  async close(withinMs: number): Promise<void> {
    this.isClosed = true;
    this.admit();
    if (this.taken === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      this.onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private hasRoom(count: number): boolean {
    return this.taken === 0 || this.taken + count <= this.options.maxWaiting;
  }

  /** In the order in which they came: many at once are not passed by few. */
  private admit(): void {
    for (let first = this.producers[0]; first; first = this.producers[0]) {
      if (this.isClosed) {
        first.refuse(new ActivityError('unavailable', 'Recording has stopped: the application is shutting down.'));
      } else if (this.hasRoom(first.count)) {
        this.taken += first.count;
        first.admit();
      } else {
        return;
      }
      this.producers.shift();
    }
  }

  private lineOf(key: object): queueAsPromised<Heard, void> {
    let line = this.lines.get(key);
    if (!line) {
      line = fastq.promise((heard: Heard) => this.run(heard), this.options.concurrency);
      this.lines.set(key, line);
    }
    return line;
  }

  /** Never rejects. */
  private async run({ event, hear }: Heard): Promise<void> {
    // Not in the producer's turn of the event loop: the caller's answer goes first.
    await nextTurn();
    const hearing: Hearing = { isOver: false };
    try {
      const heard = Promise.resolve(this.hearings.run(hearing, hear));
      await within(this.options.timeoutMs, heard, () => this.options.onFailure(event, 'timeout'));
    } catch (error) {
      this.options.onFailure(event, 'threw', error);
    } finally {
      hearing.isOver = true;
    }
  }
}
