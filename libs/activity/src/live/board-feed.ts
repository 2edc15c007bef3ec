import type { Clock } from '@laurel/leaderboard';
import { Logger } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { faultCode } from '../redis/redis-faults';
import { ActivityError } from '../errors/errors';
import { jsonOf, tagOf } from '../http/json-copy';
import type { LeaderboardBoards } from '../ledgers/leaderboard-boards';
import { errorTrace } from '../http/error-trace';
import { maxFirstPage, type FirstPages, type FirstPageView, type StandingsStart } from '../ranks/first-pages';
import type { Leaderboards } from '../ranks/leaderboards';
import type { Profiles } from '../ranks/profiles';
import type { AwayEvent } from './stream.responses';
import { eventText } from './event-text';
import type { Listener } from './listener';
import { OwnPlaces } from './own-places';
import type { LiveSettings } from './live.options';

/** What a feed is made of. */
export interface FeedOptions {
  readonly leaderboard: LeaderboardBoards;
  readonly leaderboards: Leaderboards;
  readonly firstPages: FirstPages;
  readonly profiles: Profiles;
  readonly clock: Clock;
  readonly settings: LiveSettings;
  /** How long what stands in a page beside places and points may be kept elsewhere. */
  readonly keptMs: number;
  /** Called when the last listener has left. */
  readonly onEmpty: () => void;
}

/** A page that one or more listen to, and who they are. */
interface View {
  readonly page: FirstPageView;
  readonly listeners: Set<Listener>;
  /** Those who are about to listen. */
  joining: number;
  /** What it was when it was last told. */
  current: { readonly id: string; readonly text: string } | null;
}

/** A place among the listeners, kept until `leave`. */
export interface Joining {
  /** Brings the listener up to date and tells him of each change from then on. */
  begin(listener: Listener): void;
  leave(): void;
}

/** So many listeners are written to before others have their turn. */
const listenersATurn = 250;

/**
 * Tells all listeners of one leaderboard how its current period stands. It is read once every `everyMs`, however many
 * listen to however many pages of it, as long as anyone does; what has not changed is not sent again.
 */
export class BoardFeed {
  private readonly logger = new Logger('Streams');
  private readonly views = new Map<string, View>();
  private readonly places: OwnPlaces;
  private start: StandingsStart | null = null;
  private signature = '';
  private awaySince: string | null = null;
  private looking: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;
  /** When names and titles are looked at once more, as they may have been kept from before the last change. */
  private againAtMs = Infinity;
  private readonly tending: NodeJS.Timeout;
  private isClosed = false;

  constructor(private readonly options: FeedOptions) {
    this.places = new OwnPlaces(options.leaderboard, options.profiles);
    const { settings } = options;
    // However seldom the board is read, and however long that takes.
    this.tending = setInterval(
      () => {
        for (const listener of this.listeners) listener.tend(settings);
      },
      Math.min(settings.everyMs, settings.heartbeatMs),
    );
    this.tending.unref();
  }

  get listeners(): Listener[] {
    return [...this.views.values()].flatMap((view) => [...view.listeners]);
  }

  /**
   * Keeps a place and makes sure that there is something to tell.
   * @throws ActivityError `unavailable`
   */
  async join(page: FirstPageView): Promise<Joining> {
    const key = `${page.limit} ${page.ranking} ${page.titles}`;
    const view = this.views.get(key) ?? { page, listeners: new Set(), joining: 0, current: null };
    this.views.set(key, view);
    view.joining += 1;
    let listener: Listener | null = null;
    let isLeft = false;
    const leave = () => {
      if (isLeft) return;
      isLeft = true;
      if (listener) {
        view.listeners.delete(listener);
        this.places.remove(listener);
      } else view.joining -= 1;
      if (view.listeners.size + view.joining === 0) this.views.delete(key);
      if (this.views.size === 0) this.stop();
    };
    try {
      await this.ready(view);
    } catch (error) {
      leave();
      throw error;
    }
    return {
      leave,
      begin: (joined) => {
        if (isLeft) return;
        listener = joined;
        view.joining -= 1;
        view.listeners.add(joined);
        tell(joined, view.current, false);
        this.places.add(joined);
      },
    };
  }

  /** Ends the reading; whoever listens stays connected and hears no more of it. */
  stop(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    clearTimeout(this.timer);
    clearInterval(this.tending);
    this.options.onEmpty();
  }

  /** Reads where there is nothing, or too little of it, to tell a page of. */
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

  /** One look at a time: who asks while one is under way waits for it. */
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
    const { leaderboard, leaderboards, firstPages, clock, keptMs } = this.options;
    try {
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
      if (isNew || wasAway) await this.tellAll((view, listener) => tell(listener, view.current, wasAway));
      if (this.places.size > 0) await this.places.look(start);
    } catch (error) {
      await this.goAway(error);
    }
  }

  /** How many entries are needed: for those who are signed in, as many as there may be, to know who passed them. */
  private wanted(): number {
    if (this.places.size > 0) return maxFirstPage;
    return Math.max(1, ...[...this.views.values()].map(({ page }) => page.limit));
  }

  /** What a change of which is worth telling: everything of a page but names and titles. */
  private signatureOf({ period, head, found }: StandingsStart): string {
    const nowMs = this.options.clock.now();
    const { closesAtMs } = this.options.leaderboard.timesOf(period);
    const state = [nowMs < period.start.getTime(), nowMs < (period.end?.getTime() ?? Infinity), nowMs < closesAtMs];
    const lines = head.entries.map(({ member, score, reachedAt }) => [member, score, reachedAt?.getTime()]);
    return JSON.stringify([period.key, state, found.settled !== null, head.size, lines]);
  }

  /** @param start has at least as many entries as the view's page. */
  private async refresh(view: View, start: StandingsStart): Promise<void> {
    const page = await this.options.firstPages.page(start, view.page);
    const id = tagOf(page);
    if (view.current?.id === id) return;
    view.current = { id, text: eventText({ event: 'standings', id, data: jsonOf(page) }) };
  }

  private async goAway(error: unknown): Promise<void> {
    if (this.awaySince !== null) return;
    this.awaySince = new Date(this.options.clock.now()).toISOString();
    const isAway = error instanceof ActivityError && error.code === 'unavailable';
    const message = `The streams of ${this.options.leaderboard.name} have nothing to tell (${faultCode(error)}).`;
    if (isAway) this.logger.warn(message);
    else this.logger.error(message, errorTrace(error));
    const data = JSON.stringify({ since: this.awaySince } satisfies AwayEvent);
    const text = eventText({ event: 'away', data });
    await this.tellAll((_, listener) => listener.put('away', text));
  }

  private async tellAll(say: (view: View, listener: Listener) => void): Promise<void> {
    let told = 0;
    for (const view of this.views.values()) {
      for (const listener of view.listeners) {
        say(view, listener);
        told += 1;
        if (told % listenersATurn === 0) await nextTurn();
      }
    }
  }
}

function tell(listener: Listener, current: View['current'], isForced: boolean): void {
  if (!current || (!isForced && listener.standingsId === current.id)) return;
  listener.standingsId = current.id;
  listener.put('standings', current.text);
}
