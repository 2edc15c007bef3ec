import type { ActivityModuleOptions } from '@laurel/activity/core';
import { systemClock } from '@laurel/leaderboard';
import { type RedisServer, startRedis } from '@laurel/servers/redis';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { ManualClock } from './manual-clock';

/** Options of {@link TestLaurel.start}. */
export interface TestLaurelOptions {
  /** An existing Redis. Default: one is started, which ends with the process, or with {@link TestLaurel.stop}. */
  readonly redisUrl?: string | undefined;
  /** The first moment of the clock. Default: now. */
  readonly now?: number | string | Date | undefined;
}

/** Options that a test sets, whatever the app's own are. */
export type TestedOptions = Required<
  Pick<ActivityModuleOptions, 'redis' | 'prefix' | 'clock' | 'cacheMs' | 'retentionMs'>
>;

const kept = ['hour', 'day', 'week', 'month', 'quarter', 'year', 'all', 'contest', 'ledger'].map((kind) => [
  kind,
  null,
]);

/**
 * Redis and time for the tests of an app:
 * `ActivityModule.forRoot({ ...optionsOfTheApp, ...laurel.options })`.
 */
export class TestLaurel {
  /** Stands still until a test moves it. Days, limits and settlements go by it. */
  readonly clock: ManualClock;
  private prefix = freshPrefix();
  private readonly used: string[] = [];

  private constructor(
    private readonly url: string,
    private readonly server: RedisServer | null,
    { now = systemClock.now() }: TestLaurelOptions,
  ) {
    this.clock = new ManualClock(now);
  }

  /**
   * Starts a Redis if none is given: `redis-server` or `valkey-server`, 7.0 or later, from the PATH. It stores nothing
   * on disk and ends with this process.
   * @throws Error if there is none.
   */
  static async start(options: TestLaurelOptions = {}): Promise<TestLaurel> {
    const { redisUrl } = options;
    const server = redisUrl === undefined ? await startRedis({ installs: false }) : null;
    return new TestLaurel(redisUrl ?? server?.url ?? '', server, options);
  }

  /**
   * The module's options for this Redis and this clock; reads show at once what was recorded. Nothing expires, so the
   * clock may show any moment; {@link fresh} and {@link stop} remove the data.
   */
  get options(): TestedOptions {
    return {
      redis: { url: this.url },
      prefix: this.prefix,
      clock: this.clock,
      cacheMs: 0,
      retentionMs: Object.fromEntries(kept) as TestedOptions['retentionMs'],
    };
  }

  /** Gives the next app an unused prefix, so that it finds no data. */
  fresh(): this {
    this.used.push(this.prefix);
    this.prefix = freshPrefix();
    return this;
  }

  /** Stops the Redis that it started, or removes what its apps wrote to the given one. */
  async stop(): Promise<void> {
    if (this.server) return this.server.kill();
    const client = new Redis(this.url);
    try {
      for (const prefix of [...this.used.splice(0), this.prefix]) await remove(client, prefix);
    } finally {
      client.disconnect();
    }
  }
}

function freshPrefix(): string {
  return `test-${randomUUID()}`;
}

/** The keys under `{prefix}`, `{prefix:0}` or `{prefix@board}`. */
async function remove(client: Redis, prefix: string): Promise<void> {
  for await (const keys of client.scanStream({ match: `{${prefix}*`, count: 1_000 }) as AsyncIterable<string[]>) {
    if (keys.length > 0) await client.unlink(...keys);
  }
}
