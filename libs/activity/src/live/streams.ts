import { cached, chunksOf } from '@laurel/leaderboard/internals';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { ActivityError, type ActivityErrorCode } from '../core/errors/errors';
import type { LeaderboardBoards } from '../core/ledgers/leaderboard-boards';
import { ACTIVITY_SETTINGS, type ActivitySettings, type LeaderboardSettings } from '../core/options/settings';
import { Extensions } from '../core/extensions/extensions';
import { FirstPages, type FirstPageView } from '../core/ranks/first-pages';
import { Leaderboards } from '../core/ranks/leaderboards';
import { PeriodicTasks } from '../core/periodic/periodic-tasks';
import { Profiles } from '../core/ranks/profiles';
import { SharedMetrics } from '../core/observability/shared-metrics';
import { BoardBroadcast } from './board-broadcast';
import { type AdmittedStream, closing, StreamClient, type StreamResponse } from './stream-client';
import { LIVE_SETTINGS, type LiveSettings } from './live.options';

/** The user of a client. */
export interface ClientIdentity {
  readonly address: string;
  readonly userId: string | null;
}

/** Which board a client follows, and who the client is. */
export interface StreamRequest extends FirstPageView {
  readonly leaderboard: string;
  readonly partition: string | undefined;
  readonly identity: ClientIdentity;
  readonly lastEventId: string | null;
  /** Whether the client sees the leaderboard, by now. */
  readonly sees: (leaderboard: LeaderboardSettings) => Promise<boolean>;
}

/** The most partitions that are read for clients. */
const maxPartitions = 1_000;

/** From this number on, only partitions with entries, now or in the period before: clients may invent names. */
const maxAnyPartitions = 200;

/** How many viewers are asked about together. */
const viewersAtOnce = 100;

/** How long clients may take to close when the app stops. */
const closeWithinMs = 1_000;

/** Clients wait two seconds before they reconnect. */
const greeting = Buffer.from('retry: 2000\n: listening\n\n');

/** Sends a client away so that it comes again: after a 503, a native `EventSource` would not. */
const comeAgain: AdmittedStream = {
  begin: (response) => {
    response.write(greeting);
    response.write(closing.bytes);
    response.end();
  },
  leave: () => undefined,
};

const table = {
  refused: {
    name: 'laurel_stream_refused_total',
    help: 'Streams that were not opened: full (503), tooMany of one address or user (429), closing (clients come back).',
    labelNames: ['reason'],
  },
  skipped: {
    name: 'laurel_stream_skipped_total',
    help: 'Events that slow listeners were not sent because newer ones took their place; counted when they leave.',
  },
} as const;

/** How refusals are counted, by their codes. */
const refusedAs: Partial<Record<ActivityErrorCode, string>> = { overloaded: 'full', tooManyStreams: 'tooMany' };

/** Serves the streams of all leaderboards. */
@Injectable()
export class Streams implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly broadcasts = new Map<string, BoardBroadcast>();
  private readonly open = new Map<StreamClient, StreamRequest>();
  private readonly limits: ConnectionLimits;
  private readonly counters;
  private isClosing = false;

  constructor(
    private readonly leaderboards: Leaderboards,
    private readonly firstPages: FirstPages,
    private readonly profiles: Profiles,
    metrics: SharedMetrics,
    private readonly extensions: Extensions,
    private readonly tasks: PeriodicTasks,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
    @Inject(LIVE_SETTINGS) private readonly options: LiveSettings,
  ) {
    this.limits = new ConnectionLimits(options);
    this.counters = metrics.counters(table);
    metrics.gauge({ name: 'laurel_stream_listeners', help: 'Open streams of standings.' }, () => this.limits.size);
  }

  /**
   * Admits a client as soon as the board has been read: at most one read, none where the board has clients already.
   * @throws ActivityError `unknownLeaderboard`, `invalidQuery`, `unavailable`, `overloaded`, `tooManyStreams`.
   */
  async admit(request: StreamRequest): Promise<AdmittedStream> {
    const leaderboard = this.leaderboards.find(request.leaderboard, request.partition);
    this.leaderboards.wantsTitles({ titles: request.titles });
    if (this.isClosing) {
      this.counters.refused.inc({ reason: 'closing' });
      return comeAgain;
    }
    let release: (() => void) | undefined;
    try {
      release = this.limits.take(request.identity);
      if (leaderboard.partition !== null) await this.assertRoom(leaderboard);
      const joining = await this.broadcastOf(leaderboard).join(request);
      const leave = () => {
        if (joining.leave()) release?.();
      };
      const begin = (response: StreamResponse) => {
        if (this.isClosing || response.destroyed) {
          comeAgain.begin(response);
          return leave();
        }
        const client = new StreamClient(response, request, request.identity.userId, request.lastEventId);
        this.open.set(client, request);
        response.on('close', () => {
          this.open.delete(client);
          if (client.skipped > 0) this.counters.skipped.inc(client.skipped);
          leave();
        });
        // `close` follows.
        response.on('error', () => undefined);
        response.write(greeting);
        joining.begin(client);
      };
      return { begin, leave };
    } catch (error) {
      release?.();
      const reason = error instanceof ActivityError ? refusedAs[error.code] : undefined;
      if (reason) this.counters.refused.inc({ reason });
      throw error;
    }
  }

  /** Begins to send comments to silent clients, and to close those that read nothing, or may see it no more. */
  onApplicationBootstrap(): void {
    const tend = () => Promise.resolve(this.open.forEach((_, client) => client.tend(this.options)));
    const { everyMs, heartbeatMs } = this.options;
    this.tasks.task('streams', tend, { needsRedis: false }).every(Math.min(everyMs, heartbeatMs));
    const isShown = async ({ leaderboard, partition, sees }: StreamRequest) =>
      sees(this.leaderboards.find(leaderboard, partition).settings);
    // Where the app cannot say, it is asked again.
    const isThere = (error: unknown) => !(error instanceof ActivityError && error.code === 'unknownLeaderboard');
    const look = async () => {
      const close = async ([client, request]: readonly [StreamClient, StreamRequest]) => {
        if (!(await isShown(request).catch(isThere))) client.close();
      };
      for (const some of chunksOf([...this.open], viewersAtOnce)) await Promise.all(some.map(close));
    };
    this.tasks.task('stream-viewers', look, { needsRedis: false }).every(heartbeatMs);
  }

  /** Ends every stream: an open one would keep the server from closing. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isClosing = true;
    for (const broadcast of this.broadcasts.values()) broadcast.stop();
    for (const client of this.open.keys()) client.close();
    for (let waitedMs = 0; this.open.size > 0 && waitedMs < closeWithinMs; waitedMs += 10) await delay(10);
    for (const client of this.open.keys()) client.destroy();
  }

  /** @throws ActivityError `overloaded` where no more parts, or no more that nobody is on, are read. */
  private async assertRoom(leaderboard: LeaderboardBoards): Promise<void> {
    const count = [...this.broadcasts.values()].filter(({ options }) => options.leaderboard.partition !== null).length;
    if (count < maxAnyPartitions || this.broadcasts.has(leaderboard.label)) return;
    if (count < maxPartitions && (await this.hasEntries(leaderboard))) return;
    throw new ActivityError('overloaded', 'Too many partitions have open streams: try again in a while.');
  }

  private async hasEntries(leaderboard: LeaderboardBoards): Promise<boolean> {
    const current = this.leaderboards.period(leaderboard, 'current');
    const before = this.leaderboards.before(leaderboard, current);
    for (const period of before ? [current, before] : [current]) {
      const { standings, read } = await this.leaderboards.standings(leaderboard, period);
      if ((await read(() => standings.size())) > 0) return true;
    }
    return false;
  }

  private broadcastOf(leaderboard: LeaderboardBoards): BoardBroadcast {
    const { label } = leaderboard;
    const { leaderboards, firstPages, profiles } = this;
    const make = () =>
      new BoardBroadcast({
        ...{ leaderboard, leaderboards, firstPages, profiles, clock: this.settings.clock, settings: this.options },
        keptMs: Math.max(this.extensions.titles?.cacheMs ?? 0, this.settings.cacheMs),
        onEmpty: () => this.broadcasts.delete(label),
      });
    return cached(this.broadcasts, label, make);
  }
}

/** Bounds the open streams: in all, of one address and of one user. */
class ConnectionLimits {
  /** By address and by user. */
  private readonly counts = new Map<string, number>();
  size = 0;

  constructor(private readonly bounds: Pick<LiveSettings, 'maxListeners' | 'maxPerAddress' | 'maxPerUser'>) {}

  /**
   * Takes one; gives what gives it back.
   * @throws ActivityError `overloaded` if all are taken, `tooManyStreams` if this guest has its share.
   */
  take({ address, userId }: ClientIdentity): () => void {
    const { maxListeners, maxPerAddress, maxPerUser } = this.bounds;
    if (this.size >= maxListeners) {
      throw new ActivityError('overloaded', `There are ${maxListeners} streams open already: try again in a while.`);
    }
    const ofUser = { key: `user ${userId}`, who: 'This user', max: maxPerUser };
    const ofAddress = { key: `address ${address}`, who: 'This address', max: maxPerAddress };
    const shares = userId === null ? [ofAddress] : [ofAddress, ofUser];
    for (const { key, who, max } of shares) {
      if ((this.counts.get(key) ?? 0) < max) continue;
      throw new ActivityError('tooManyStreams', `${who} has ${max} streams open: close one of them first.`);
    }
    const add = (by: 1 | -1) => {
      this.size += by;
      for (const { key } of shares) {
        const count = (this.counts.get(key) ?? 0) + by;
        if (count === 0) this.counts.delete(key);
        else this.counts.set(key, count);
      }
    };
    add(1);
    return () => add(-1);
  }
}
