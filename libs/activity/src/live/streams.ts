import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { ActivityError } from '../errors/errors';
import type { LeaderboardBoards } from '../ledgers/leaderboard-boards';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { Extensions } from '../extensions/extensions';
import { FirstPages, type FirstPageView } from '../ranks/first-pages';
import { Leaderboards } from '../ranks/leaderboards';
import { Profiles } from '../ranks/profiles';
import { StandingsFinder } from '../ranks/standings-finder';
import { BoardFeed } from './board-feed';
import { commentText } from './event-text';
import { Listener, type StreamResponse } from './listener';
import { LIVE_SETTINGS, type LiveSettings } from './live.options';
import { Seats, type Guest } from './seats';
import { StreamMetrics } from './stream-metrics';

/** What is listened to, and by whom. */
export interface StreamRequest extends FirstPageView {
  readonly leaderboard: string;
  readonly partition: string | undefined;
  readonly guest: Guest;
  readonly lastEventId: string | null;
}

/** A stream that may begin. */
export interface AdmittedStream {
  /** Writes to a response whose head is sent, until it is closed from either side. */
  begin(response: StreamResponse): void;
  /** Gives it up before it began. */
  leave(): void;
}

/** The most partitions that are read for clients. */
const maxPartFeeds = 1_000;

/** From so many on, only parts that somebody is on, or was in the period before: whoever asks may invent others. */
const maxAnyPartFeeds = 200;

/** How long listeners may take to let go when the app stops. */
const closeWithinMs = 1_000;

/** How long a client waits before it comes again. */
const retryMs = 2_000;

/** Serves the streams of all leaderboards. */
@Injectable()
export class Streams implements BeforeApplicationShutdown {
  private readonly feeds = new Map<string, BoardFeed>();
  /** Those of them that are of partitions. */
  private readonly partFeeds = new Set<string>();
  private readonly open = new Set<Listener>();
  private readonly seats: Seats;
  private isClosing = false;

  constructor(
    private readonly leaderboards: Leaderboards,
    private readonly firstPages: FirstPages,
    private readonly finder: StandingsFinder,
    private readonly profiles: Profiles,
    private readonly metrics: StreamMetrics,
    private readonly extensions: Extensions,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
    @Inject(LIVE_SETTINGS) private readonly options: LiveSettings,
  ) {
    this.seats = new Seats(options);
    metrics.watch(() => this.seats.size);
  }

  /**
   * Lets a listener in, when there is something to tell him: at most one look at the board, none where others listen.
   * @throws ActivityError `unknownLeaderboard`, `invalidQuery`, `unavailable`, `overloaded`, `tooManyStreams`.
   */
  async admit(request: StreamRequest): Promise<AdmittedStream> {
    const leaderboard = this.leaderboards.find(request.leaderboard, request.partition);
    const giveBack = this.seat(request.guest);
    try {
      if (leaderboard.partition !== null) await this.assertRoom(leaderboard);
      const joining = await this.feedOf(leaderboard).join(request);
      const leave = () => {
        joining.leave();
        giveBack();
      };
      const begin = (response: StreamResponse) => {
        if (this.isClosing || response.destroyed) {
          response.destroy();
          return leave();
        }
        const { guest, lastEventId } = request;
        const listener = new Listener(response, { view: request, userId: guest.userId, lastEventId });
        this.open.add(listener);
        response.on('close', () => {
          this.open.delete(listener);
          this.metrics.countSkipped(listener.skipped);
          leave();
        });
        // A client that is gone is told of by `close`.
        response.on('error', () => undefined);
        response.write(`retry: ${retryMs}\n${commentText('listening')}`);
        joining.begin(listener);
      };
      return { begin, leave };
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  /** Ends every stream: an open one would keep the server from closing. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isClosing = true;
    for (const feed of this.feeds.values()) feed.stop();
    for (const listener of this.open) listener.close();
    for (let waitedMs = 0; this.open.size > 0 && waitedMs < closeWithinMs; waitedMs += 10) await delay(10);
    for (const listener of this.open) listener.destroy();
  }

  /** @throws ActivityError `overloaded` where no more parts, or no more that nobody is on, are read. */
  private async assertRoom(leaderboard: LeaderboardBoards): Promise<void> {
    if (this.partFeeds.size < maxAnyPartFeeds || this.feeds.has(leaderboard.label)) return;
    const isKnown = await this.hasEntries(leaderboard);
    if (isKnown && this.partFeeds.size < maxPartFeeds) return;
    this.metrics.countRefused('full');
    throw new ActivityError('overloaded', 'Too many partitions have open streams: try again in a while.');
  }

  private async hasEntries(leaderboard: LeaderboardBoards): Promise<boolean> {
    const current = this.leaderboards.period(leaderboard, 'current');
    const before = this.leaderboards.before(leaderboard, current);
    for (const period of before ? [current, before] : [current]) {
      const { standings, read } = await this.finder.find(leaderboard, period);
      if ((await read(() => standings.size())) > 0) return true;
    }
    return false;
  }

  private seat(guest: Guest): () => void {
    if (this.isClosing) {
      this.metrics.countRefused('closing');
      throw new ActivityError('overloaded', 'The service is about to stop: try again in a moment.');
    }
    try {
      return this.seats.take(guest);
    } catch (error) {
      const isFull = error instanceof ActivityError && error.code === 'overloaded';
      this.metrics.countRefused(isFull ? 'full' : 'tooMany');
      throw error;
    }
  }

  private feedOf(leaderboard: LeaderboardBoards): BoardFeed {
    const { label } = leaderboard;
    let feed = this.feeds.get(label);
    if (!feed) {
      feed = new BoardFeed({
        leaderboard,
        leaderboards: this.leaderboards,
        firstPages: this.firstPages,
        profiles: this.profiles,
        clock: this.settings.clock,
        settings: this.options,
        keptMs: Math.max(this.extensions.titles?.cacheMs ?? 0, this.settings.cacheMs),
        onEmpty: () => {
          this.feeds.delete(label);
          this.partFeeds.delete(label);
        },
      });
      this.feeds.set(label, feed);
      if (leaderboard.partition !== null) this.partFeeds.add(label);
    }
    return feed;
  }
}
