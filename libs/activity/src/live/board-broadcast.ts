import type { Clock } from '@laurel/leaderboard';
import { Logger } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { faultCode } from '../core/redis/redis-faults';
import { ActivityError } from '../core/errors/errors';
import { copyOf } from '../core/http/tagged-answers';
import type { LeaderboardBoards } from '../core/ledgers/leaderboard-boards';
import { errorTrace } from '../core/http/error-trace';
import { maxFirstPage, type FirstPages, type FirstPageView, type StandingsStart } from '../core/ranks/first-pages';
import type { Leaderboards } from '../core/ranks/leaderboards';
import type { Profiles } from '../core/ranks/profiles';
import type { AwayEvent } from './stream.responses';
import { type StreamClient, streamEvent, type StreamEvent } from './stream-client';
import { OwnRanks } from './own-ranks';
import type { LiveSettings } from './live.options';

/** The options of a {@link BoardBroadcast}. */
export interface BroadcastOptions {
  readonly leaderboard: LeaderboardBoards;
  readonly leaderboards: Leaderboards;
  readonly firstPages: FirstPages;
  readonly profiles: Profiles;
  readonly clock: Clock;
  readonly settings: LiveSettings;
  /** Maximum age of cached names and titles in a page. */
  readonly keptMs: number;
  /** Called when the last client has left. */
  readonly onEmpty: () => void;
}

/** One that follows a page; null: it is about to. */
interface Follower {
  client: StreamClient | null;
}

/** A page, and those that follow it. */
interface View {
  readonly page: FirstPageView;
  readonly followers: Set<Follower>;
  /** The page as it was last sent. */
  current: { readonly id: string; readonly event: StreamEvent } | null;
}

/** A client that is about to follow a page, until `leave`. */
export interface Joining {
  /** Sends the client the page, and each change of it from then on. */
  begin(client: StreamClient): void;
  /** False: the client has left before. */
  leave(): boolean;
}

/** After so many clients, other work has its turn. */
const clientsATurn = 250;

/**
 * Sends the current period of one leaderboard to all its clients. While there are clients, the board is read once every
 * `everyMs`, however many pages they follow; an unchanged page is not sent again.
 */
export class BoardBroadcast {
  private readonly logger = new Logger('Streams');
  private readonly views = new Map<string, View>();
  private readonly places: OwnRanks;
  private start: StandingsStart | null = null;
  private signature = '';
  private awaySince: string | null = null;
  private looking: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;
  /** When pages are made once more: their names and titles may have been cached before the last change. */
  private againAtMs = Infinity;
  private isClosed = false;

  constructor(readonly options: BroadcastOptions) {
    this.places = new OwnRanks(options.leaderboard, options.profiles);
  }

  /**
   * Reads the page where it was not read yet.
   * @throws ActivityError `unavailable`
   */
  async join(page: FirstPageView): Promise<Joining> {
    const key = `${page.limit} ${page.ranking} ${page.titles}`;
    const view = this.views.get(key) ?? { page, followers: new Set(), current: null };
    this.views.set(key, view);
    const follower: Follower = { client: null };
    view.followers.add(follower);
    const leave = () => {
      if (!view.followers.delete(follower)) return false;
      if (follower.client) this.places.remove(follower.client);
      if (view.followers.size === 0) this.views.delete(key);
      if (this.views.size === 0) this.stop();
      return true;
    };
    try {
      await this.ready(view);
    } catch (error) {
      leave();
      throw error;
    }
    return {
      leave,
      begin: (client) => {
        if (!view.followers.has(follower)) return;
        follower.client = client;
        tell(client, view.current, false);
        this.places.add(client);
      },
    };
  }

  /** Stops reading. Clients stay connected and are sent no more of it. */
  stop(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    clearTimeout(this.timer);
    this.options.onEmpty();
  }

  /** Reads until there are entries enough for the view. */
  private async ready(view: View): Promise<void> {
    if (!this.start) await this.look();
    while (!this.isClosed) {
      if (this.awaySince !== null) {
        throw new ActivityError('unavailable', 'The standings cannot be read at present: try again in a moment.');
      }
      if (view.current) return;
      if (this.start && this.start.count >= view.page.limit) await this.refresh(view, this.start);
      else await this.look();
    }
  }

  /** One look at a time, shared by all callers. */
  private look(): Promise<void> {
    this.looking ??= this.lookOnce().finally(() => {
      this.looking = null;
      if (this.isClosed) return;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.look(), this.options.settings.everyMs);
      this.timer.unref();
    });
    return this.looking;
  }

  private async lookOnce(): Promise<void> {
    const { leaderboards, firstPages, clock, keptMs } = this.options;
    const { name, partition } = this.options.leaderboard;
    try {
      // One that is changed while the app runs is another by now.
      const leaderboard = leaderboards.find(name, partition ?? undefined);
      const period = leaderboards.period(leaderboard, 'current');
      const start = await firstPages.start(leaderboard, period, this.wanted());
      const signature = this.signatureOf(start);
      const hasChanged = signature !== this.signature;
      const wasAway = this.awaySince !== null;
      const nowMs = clock.now();
      const isNew = hasChanged || nowMs >= this.againAtMs;
      if (isNew || !this.start || start.count !== this.start.count) this.start = start;
      let isForAll = true;
      for (const view of this.views.values()) {
        if (!isNew && view.current) continue;
        // A longer page than any that was wanted when the read began has its turn at the next look.
        if (this.start.count < view.page.limit) isForAll = false;
        else await this.refresh(view, this.start);
      }
      if (isNew) this.againAtMs = hasChanged ? nowMs + keptMs : Infinity;
      this.signature = isForAll ? signature : '';
      this.awaySince = null;
      if (isNew || wasAway) await this.tellAll((view, client) => tell(client, view.current, wasAway));
      if (this.places.size > 0) await this.places.look(start);
    } catch (error) {
      await this.goAway(error);
    }
  }

  /** How many entries are needed: for signed-in users the most, to find who overtook them. */
  private wanted(): number {
    if (this.places.size > 0) return maxFirstPage;
    return Math.max(1, ...[...this.views.values()].map(({ page }) => page.limit));
  }

  /** Changes with everything in a page except names and titles. */
  private signatureOf({ leaderboard, period, head, found }: StandingsStart): string {
    const nowMs = this.options.clock.now();
    const { closesAtMs } = leaderboard.timesOf(period);
    const state = [nowMs < period.start.getTime(), nowMs < (period.end?.getTime() ?? Infinity), nowMs < closesAtMs];
    const lines = head.entries.map(({ member, score, reachedAt }) => [member, score, reachedAt?.getTime()]);
    return JSON.stringify([period.key, period.start, state, found.settled !== null, head.size, lines]);
  }

  /** @param start has at least as many entries as the view's page. */
  private async refresh(view: View, start: StandingsStart): Promise<void> {
    const page = await this.options.firstPages.page(start, view.page);
    const { json: data, tag: id } = copyOf(page);
    if (view.current?.id === id) return;
    view.current = { id, event: streamEvent('standings', data, id) };
  }

  private async goAway(error: unknown): Promise<void> {
    if (this.awaySince !== null) return;
    this.awaySince = new Date(this.options.clock.now()).toISOString();
    const isAway = error instanceof ActivityError && error.code === 'unavailable';
    const message = `The streams of ${this.options.leaderboard.name} cannot read their standings (${faultCode(error)}).`;
    if (isAway) this.logger.warn(message);
    else this.logger.error(message, errorTrace(error));
    const away = streamEvent('away', JSON.stringify({ since: this.awaySince } satisfies AwayEvent));
    await this.tellAll((_, client) => client.send(away));
  }

  private async tellAll(say: (view: View, client: StreamClient) => void): Promise<void> {
    let told = 0;
    for (const view of this.views.values()) {
      for (const { client } of view.followers) {
        if (!client) continue;
        say(view, client);
        told += 1;
        if (told % clientsATurn === 0) await nextTurn();
      }
    }
  }
}

function tell(client: StreamClient, current: View['current'], isForced: boolean): void {
  if (!current || (!isForced && client.standingsId === current.id)) return;
  client.standingsId = current.id;
  client.send(current.event);
}
