import { LeaderboardError, type LeaderboardErrorCode, type RedisClient } from '@laurel/leaderboard';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { EventEmitter, once } from 'node:events';
import { ActivityError } from '../errors/errors';
import { within } from '../deadlines/deadline';
import { SharedMetrics } from '../observability/shared-metrics';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { createClient, failingFast } from './create-client';
import { doctor, faultCode, isRedisFault } from './redis-faults';
import { RedisRefusals } from './redis-refusals';

/** Injects the module's Redis client, for an app that stores something small under keys of its own. */
export const REDIS_CLIENT = Symbol('REDIS_CLIENT');

/** How soon the check of the data is repeated where Redis could not answer it. */
const recheckMs = 250;

/** The codes of data that this app must not touch. */
const refusalCodes = new Set<LeaderboardErrorCode>(['shardCountMismatch', 'formatMismatch', 'settingsMismatch']);

/** `refused`: the data there is of another number of shards, another format or other settings. */
type State = 'away' | 'ready' | 'refused' | 'closed';

/**
 * The module's way to Redis. It is `ready` while the client is connected and the data there has been checked. Reads
 * fail at once while it is not; recording may wait for it.
 */
@Injectable()
export class RedisConnection {
  readonly client: RedisClient;
  readonly refusals: RedisRefusals;
  private readonly logger = new Logger(RedisConnection.name);
  /** Tells those that wait: `ready`, or the `error` for which Redis cannot be used any more. */
  private readonly waiting = new EventEmitter().setMaxListeners(0).on('error', () => undefined);
  private state: State = 'away';
  private refusal: LeaderboardError | undefined;
  private lastFault: string | undefined;
  private check: () => Promise<void> = () => Promise.resolve();

  constructor(
    @Inject(ACTIVITY_SETTINGS)
    private readonly settings: Pick<ActivitySettings, 'redis' | 'commandTimeoutMs' | 'clock'>,
    metrics: SharedMetrics,
  ) {
    this.client = createClient(settings.redis, failingFast(settings.commandTimeoutMs));
    this.refusals = new RedisRefusals(metrics, settings.clock);
    const help = '1 while Redis can be used, else 0.';
    metrics.gauge({ name: 'laurel_redis_up', help, aggregator: 'min' }, () => (this.state === 'ready' ? 1 : 0));
  }

  /** Whether Redis can be used now. */
  get isReady(): boolean {
    return this.state === 'ready' && this.client.status === 'ready';
  }

  /**
   * Connects once, and waits at most `commandTimeoutMs` for an answer: an app starts without its Redis.
   * @param check looks at what lies in Redis, each time that the connection is made.
   * @throws LeaderboardError `shardCountMismatch`, `formatMismatch`, `settingsMismatch` where this app would misread
   * it.
   */
  async start(check: () => Promise<void>): Promise<void> {
    this.check = check;
    this.client.on('ready', this.onReady).on('close', this.onClose).on('error', this.onError);
    if (this.client.status === 'ready') this.onReady();
    const connecting = this.client.status === 'wait' ? this.client.connect() : Promise.resolve();
    const connected = connecting.then(() => this.whenReady(this.settings.commandTimeoutMs)).catch(this.onError);
    await within(this.settings.commandTimeoutMs, connected, () => undefined);
    if (this.refusal) {
      await this.close();
      throw this.refusal;
    }
    if (!this.isReady) {
      const why = `Redis is away (${this.lastFault ?? 'no answer'})`;
      this.logger.warn(`${why}: the app starts without it and keeps trying. ${doctor}`);
    }
  }

  /**
   * @throws LeaderboardError `shardCountMismatch`, `formatMismatch`, `settingsMismatch`, from the moment that it is
   * known.
   */
  assertNotRefused(): void {
    if (this.refusal) throw this.refusal;
  }

  /**
   * Runs a read.
   * @throws ActivityError `unavailable`: at once while Redis is away, after `commandTimeoutMs` if it hangs.
   */
  async read<T>(work: (client: RedisClient) => Promise<T>): Promise<T> {
    this.assertNotRefused();
    if (!this.isReady) throw new ActivityError('unavailable', 'Redis is away: try again in a moment.');
    try {
      return await within(this.settings.commandTimeoutMs, work(this.client), () => {
        throw new ActivityError('unavailable', 'Redis did not answer in time: try again in a moment.');
      });
    } catch (error) {
      if (!isRedisFault(error)) throw error;
      this.refusals.note(error, { isWrite: false });
      throw new ActivityError('unavailable', 'Redis could not answer: try again in a moment.', { cause: error });
    }
  }

  /**
   * Resolves when Redis can be used.
   * @throws LeaderboardError `unavailable` where it cannot within `withinMs`; as {@link assertNotRefused}.
   */
  async whenReady(withinMs: number): Promise<void> {
    this.assertNotRefused();
    if (this.isReady) return;
    if (this.state === 'closed') throw away('The connection to Redis is closed.');
    const signal = AbortSignal.timeout(Math.max(0, Math.ceil(withinMs)));
    await once(this.waiting, 'ready', { signal }).catch((error: unknown) => {
      throw signal.aborted ? away(`Redis has been away for at least ${Math.round(withinMs)} ms.`) : error;
    });
  }

  /** Lets go of Redis; a client of the app's stays open. */
  async close(): Promise<void> {
    this.state = 'closed';
    this.client.off('ready', this.onReady).off('close', this.onClose).off('error', this.onError);
    this.waiting.emit('error', away('The connection to Redis is closed.'));
    if ('client' in this.settings.redis) return;
    // Errors of a closing client concern nobody.
    this.client.on('error', () => undefined);
    if (this.client.status === 'ready') await this.client.quit().catch(() => undefined);
    this.client.disconnect();
  }

  private readonly onReady = (): void => void this.admit();

  private readonly onClose = (): void => {
    if (this.state !== 'ready') return;
    this.state = 'away';
    const what = this.lastFault === 'late' ? `answers later than ${this.settings.commandTimeoutMs} ms` : 'is away';
    this.logger.warn(`Redis ${what}: reads are refused and recording waits until it is back.`);
  };

  /** The client tells each failed try: the first is worth a line, see `onClose`; the last is kept for the others. */
  private readonly onError = (error: unknown): void => {
    this.lastFault = faultCode(error);
  };

  private async admit(): Promise<void> {
    try {
      await this.check();
    } catch (error) {
      if (this.refuses(error) || this.state === 'closed') return;
      this.lastFault = faultCode(error);
      // Where the connection is lost as well, it becomes ready anew and is checked then.
      setTimeout(() => {
        if (this.client.status === 'ready' && this.state === 'away') void this.admit();
      }, recheckMs).unref();
      return;
    }
    if (this.state !== 'away' || this.client.status !== 'ready') return;
    this.state = 'ready';
    this.lastFault = undefined;
    this.logger.log('Redis is ready.');
    this.waiting.emit('ready');
  }

  /** Whether an error says that this app would misread what lies in Redis: then nothing is read or written any more. */
  refuses(error: unknown): boolean {
    if (!(error instanceof LeaderboardError && refusalCodes.has(error.code))) return false;
    this.state = 'refused';
    this.refusal = error;
    this.logger.error(error.message);
    this.waiting.emit('error', error);
    return true;
  }
}

function away(message: string): LeaderboardError {
  return new LeaderboardError('unavailable', message);
}
