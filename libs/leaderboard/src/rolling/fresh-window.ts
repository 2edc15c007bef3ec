import { setTimeout as delay } from 'node:timers/promises';
import { performance } from 'node:perf_hooks';
import type { Clock } from '../time/clock';
import { LeaderboardError } from '../errors/errors';
import type { RedisClient } from '../redis/run';
import { served } from '../redis/served';
import { Lock } from '../redis/lock';
import { rollingKeys, type WindowName } from '../keys/rolling-keys';
import type { WindowBuilder } from './window-builder';

export interface FreshWindowOptions {
  readonly name: WindowName;
  /** The shard whose keys say how old the window is. */
  readonly tag: string;
  readonly refreshMs: number;
  readonly clock: Clock;
}

/** How long a process that died keeps the others from the window. */
const lockMs = 3_000;
/** How often one that waits for another looks whether it is done. */
const pollMs = 20;
/** How long a reader waits at most. */
const patienceMs = 30_000;
/** A window whose days are all closed changes no more: it is made again only when Redis has dropped it. */
const closedLifeMs = 600_000;

/** Sees to it that one window is young enough when it is read, whichever process put it together. */
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
    // Nobody waits for this one: where it fails, the next who finds the window too old is told.
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
          // It may have been made while the lock was another's.
          if ((await this.adopt()) || (await this.build(lock))) return;
        } finally {
          await lock.release();
        }
      }
      await delay(pollMs);
    }
    throw new LeaderboardError('unavailable', 'The window could not be put together in time.');
  }

  /** Takes the window as another process left it, where it is young enough. */
  private async adopt(): Promise<boolean> {
    const key = this.asOfKey;
    const stored = await served(this.redis, key, () => this.redis.get(key));
    if (stored === null) return false;
    const asOfMs = Number(stored);
    const lifeMs = this.lifeAt(asOfMs);
    if (this.options.clock.now() - asOfMs >= lifeMs * 0.75) return false;
    this.asOfMs = asOfMs;
    this.lifeMs = lifeMs;
    return true;
  }

  /** Puts it together; false where the lock was lost: another process does. */
  private async build(lock: Lock): Promise<boolean> {
    const asOfMs = this.options.clock.now();
    const lifeMs = this.lifeAt(asOfMs);
    // What says how old the boards are is dropped before they are.
    const ttlMs = 2 * lifeMs + 60_000;
    if (!(await this.builder.build(asOfMs, { ttlMs: ttlMs + 60_000, goOn: () => lock.renew() }))) return false;
    const key = this.asOfKey;
    await served(this.redis, key, () => this.redis.set(key, String(asOfMs), 'PX', ttlMs));
    this.asOfMs = asOfMs;
    this.lifeMs = lifeMs;
    return true;
  }

  private get asOfKey(): string {
    return rollingKeys.asOf(this.options.name, this.options.tag);
  }

  private lifeAt(asOfMs: number): number {
    const isClosed = this.builder.closesAtMs <= asOfMs;
    return isClosed ? Math.max(closedLifeMs, this.options.refreshMs) : this.options.refreshMs;
  }
}
