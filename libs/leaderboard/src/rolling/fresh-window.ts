import { setTimeout as delay } from 'node:timers/promises';
import { performance } from 'node:perf_hooks';
import type { Clock } from '../time/clock';
import { unavailable } from '../errors/errors';
import type { RedisClient } from '../redis/run';
import { served } from '../redis/served';
import { Lock } from '../redis/lock';
import { rollingKeys, type WindowName } from '../keys/rolling-keys';
import type { WindowBuilder } from './window-builder';

export interface FreshWindowOptions {
  readonly name: WindowName;
  /** The shard whose keys hold the window's age. */
  readonly tag: string;
  readonly refreshMs: number;
  readonly clock: Clock;
}

/** How long the lock of a crashed process keeps others from building the window. */
const lockMs = 3_000;
/** How often a waiting process checks whether the window is built. */
const pollMs = 20;
/** The longest that a reader waits. */
const patienceMs = 30_000;
/** How old a window may be whose days are over: these change rarely. */
const pastLifeMs = 600_000;

/** Keeps one window young enough for reads, whichever process built it. */
export class FreshWindow {
  private asOfMs = -Infinity;
  private lifeMs: number;
  private refreshing: Promise<void> | undefined;

  constructor(
    private readonly redis: RedisClient,
    private readonly builder: WindowBuilder,
    private readonly options: FreshWindowOptions,
  ) {
    this.lifeMs = options.refreshMs;
  }

  /** Resolves when the window can be read; at once, usually. */
  async ensure(): Promise<void> {
    const ageMs = this.options.clock.now() - this.asOfMs;
    if (ageMs >= this.lifeMs || ageMs < 0) return this.refresh();
    // Refreshes in the background; if that fails, the next reader of a stale window gets the error.
    if (ageMs >= this.lifeMs * 0.75) this.refresh().catch(() => undefined);
  }

  private refresh(): Promise<void> {
    this.refreshing ??= this.refreshOnce().finally(() => (this.refreshing = undefined));
    return this.refreshing;
  }

  private async refreshOnce(): Promise<void> {
    const { name, tag } = this.options;
    const lock = new Lock(this.redis, rollingKeys.lock(name, tag), lockMs);
    const deadlineMs = performance.now() + patienceMs;
    while (performance.now() < deadlineMs) {
      if (await this.adopt()) return;
      if (await lock.take()) {
        try {
          // Another process may have built the window while it held the lock.
          if ((await this.adopt()) || (await this.build(lock))) return;
        } finally {
          await lock.release();
        }
      }
      await delay(pollMs);
    }
    throw unavailable('The window could not be put together in time.');
  }

  /** Uses the window that another process built, if it is young enough. */
  private async adopt(): Promise<boolean> {
    const stored = await served(this.redis, this.asOfKey, (key) => this.redis.get(key));
    if (stored === null) return false;
    const asOfMs = Number(stored);
    const lifeMs = this.lifeAt(asOfMs);
    if (this.options.clock.now() - asOfMs >= lifeMs * 0.75) return false;
    this.asOfMs = asOfMs;
    this.lifeMs = lifeMs;
    return true;
  }

  /** Builds the window; false if the lock was lost: another process builds it then. */
  private async build(lock: Lock): Promise<boolean> {
    const asOfMs = this.options.clock.now();
    const lifeMs = this.lifeAt(asOfMs);
    // The key with the age must expire before the boards do.
    const ttlMs = 2 * lifeMs + 60_000;
    if (!(await this.builder.build(asOfMs, { ttlMs: ttlMs + 60_000, goOn: () => lock.renew() }))) return false;
    await served(this.redis, this.asOfKey, (key) => this.redis.set(key, String(asOfMs), 'PX', ttlMs));
    this.asOfMs = asOfMs;
    this.lifeMs = lifeMs;
    return true;
  }

  private get asOfKey(): string {
    return rollingKeys.asOf(this.options.name, this.options.tag);
  }

  private lifeAt(asOfMs: number): number {
    const isPast = this.builder.overAtMs <= asOfMs;
    return isPast ? Math.max(pastLifeMs, this.options.refreshMs) : this.options.refreshMs;
  }
}
