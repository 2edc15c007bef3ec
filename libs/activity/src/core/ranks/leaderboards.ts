import { LeaderboardError, Period } from '@laurel/leaderboard';
import { cached, cachedWith, dayNumber, maxPartitionBytes } from '@laurel/leaderboard/internals';
import { Inject, Injectable } from '@nestjs/common';
import { identifierFault } from '../activity/activity';
import { dayIn } from '../activity/checks';
import { ActivityError, invalidQuery } from '../errors/errors';
import { Extensions } from '../extensions/extensions';
import type { PeriodQuery, SettledStandings } from '../extensions/standings';
import type { LeaderboardBoards } from '../ledgers/leaderboard-boards';
import { Ledgers } from '../ledgers/ledgers';
import { ACTIVITY_SETTINGS, type ActivitySettings, type LeaderboardSettings } from '../options/settings';
import { RedisConnection } from '../redis/redis-connection';
import type { LookupQuery } from './rank.dto';

/** The most days that are ranked together. */
export const maxSpanDays = 366;

/** The most spans that an instance puts together: each takes as much of Redis as a board, as long as it is there. */
const maxSpans = 32;
const spanLivesMs = 22 * 60_000;

/** The most periods that are remembered of each leaderboard. */
const maxPeriods = 1_000;

/** Standings, and how they are read. */
export interface FoundStandings extends Pick<SettledStandings, 'standings' | 'hiddenEntry' | 'read'> {
  /** The period where it is settled. */
  readonly settled: SettledStandings['period'] | null;
}

/** Finds leaderboards, their periods by the names that requests give them, and the standings of these. */
@Injectable()
export class Leaderboards {
  /** Cutting one costs more than the rest of a cached answer. By settings: a leaderboard may be changed meanwhile. */
  private readonly periods = new WeakMap<LeaderboardSettings, Map<string, Period | null>>();
  /** By span, when it was asked for last. */
  private readonly spans = new Map<string, number>();

  constructor(
    private readonly ledgers: Ledgers,
    private readonly connection: RedisConnection,
    private readonly extensions: Extensions,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  /**
   * A leaderboard, or one partition of it.
   * @throws ActivityError `unknownLeaderboard`; `invalidQuery` where a part is named and there are none, or the other
   * way about.
   */
  find(name: string, partition?: string): LeaderboardBoards {
    const found = this.ledgers.boards(name);
    const refuse = (message: string) => invalidQuery('partition', message);
    const { partition: key } = found.settings;
    if (key === null) {
      if (partition === undefined) return found;
      throw refuse(`must be left out: the leaderboard "${name}" has no partitions`);
    }
    if (partition === undefined) throw refuse(`must be given: the ${key} whose standings are wanted`);
    const fault = identifierFault(partition, maxPartitionBytes);
    if (fault !== null) throw refuse(fault);
    return found.part(partition);
  }

  /**
   * A period by its name: `current`, `previous` or a key such as `2026-11-20`.
   * @throws ActivityError `unknownPeriod`
   */
  period(leaderboard: LeaderboardBoards, key: string): Period {
    const { name } = leaderboard;
    const period = key === 'current' || key === 'previous' ? leaderboard.current() : this.parsed(leaderboard, key);
    if (key === 'previous') {
      const before = this.before(leaderboard, period);
      if (before) return before;
      throw unknownPeriod(`The leaderboard "${name}" has no period before its current one, "${period.key}".`);
    }
    if (leaderboard.isKept(period)) return period;
    throw unknownPeriod(
      `The leaderboard "${name}" no longer keeps the days of the window that ends with ${period.key}.`,
    );
  }

  /**
   * The days from one to another, today by default, as one period of a leaderboard that is made of days.
   * @throws ActivityError `invalidQuery`; `unknownPeriod` where some of the days are gone; `overloaded` where too many
   * other spans were asked for lately.
   */
  span(
    leaderboard: LeaderboardBoards,
    first: string | undefined,
    last?: string,
  ): Pick<PeriodQuery, 'leaderboard' | 'period'> {
    const { timezone } = leaderboard.settings;
    const { clock } = this.settings;
    const today = Period.of('day', new Date(clock.now()), timezone);
    if (first === undefined) throw invalidQuery('from', 'must be given with to: the first of the days');
    const [from, to] = [dayIn('from', first, timezone), last === undefined ? today : dayIn('to', last, timezone)];
    if (to.start > today.start) throw invalidQuery('to', `must be ${today.key} or a day before it`);
    if (from.start > to.start) throw invalidQuery('from', `must be ${to.key} or a day before it`);
    const days = dayNumber(to.key) - dayNumber(from.key) + 1;
    if (days > maxSpanDays) throw invalidQuery('from', `must be one of the ${maxSpanDays} days up to ${to.key}`);
    const span = leaderboard.span(days);
    if (!span) throw invalidQuery('from', `must be left out: "${leaderboard.name}" is not made of days`);
    const period = span.parse(to.key);
    if (!span.isKept(period)) throw this.daysGone(leaderboard, from, to);
    this.takeSpan(`${span.label} ${days} ${to.key}`, clock.now());
    return { leaderboard: span, period };
  }

  private daysGone(leaderboard: LeaderboardBoards, from: Period, to: Period): ActivityError {
    const day = leaderboard.span(1) as LeaderboardBoards;
    const isGone = (one: Period) => !day.isKept(day.parse(one.key));
    let first: Period | null = from;
    while (first && first.start <= to.start && isGone(first)) first = first.next();
    const since = first && first.start <= to.start ? `those from ${first.key} on are there` : 'none of these is there';
    return unknownPeriod(`The leaderboard "${leaderboard.name}" no longer keeps the day ${from.key}: ${since}.`);
  }

  private takeSpan(id: string, nowMs: number): void {
    for (const [other, askedAtMs] of this.spans) if (nowMs - askedAtMs > spanLivesMs) this.spans.delete(other);
    if (!this.spans.has(id) && this.spans.size >= maxSpans) {
      const message = `${maxSpans} other spans of days were asked for in the last ${spanLivesMs / 60_000} minutes: try again later.`;
      throw new ActivityError('overloaded', message);
    }
    this.spans.set(id, nowMs);
  }

  /** The period before `period`; null for the first there is, for one that never ends, and where it is not kept. */
  before(leaderboard: LeaderboardBoards, period: Period): Period | null {
    try {
      const before = this.remembered(leaderboard, `before ${period.key}`, () => period.previous());
      return before && leaderboard.isKept(before) ? before : null;
    } catch (error) {
      // The calendar begins with the year 0.
      if (error instanceof LeaderboardError) return null;
      throw error;
    }
  }

  private parsed(leaderboard: LeaderboardBoards, key: string): Period {
    try {
      return this.remembered(leaderboard, `of ${key}`, () => leaderboard.parse(key));
    } catch (error) {
      if (!(error instanceof LeaderboardError)) throw error;
      throw unknownPeriod(`The leaderboard "${leaderboard.name}" has no such period. ${error.message}`, error);
    }
  }

  private remembered<Made extends Period | null>({ settings }: LeaderboardBoards, key: string, make: () => Made): Made {
    const periods = cachedWith(this.periods, settings, () => new Map<string, Period | null>());
    return cached<string, Period | null>(periods, key, make, maxPeriods) as Made;
  }

  /**
   * The standings of a period: in Redis while its board is there, afterwards in an archive of the app's. Reads nothing,
   * except of a closed period, once: one read of its board and of the archive.
   * @throws ActivityError `unknownPeriod` where the board has expired and there is no archive.
   */
  async standings(leaderboard: LeaderboardBoards, period: Period): Promise<FoundStandings> {
    const live = this.live(leaderboard, period);
    // A rolling window is never archived.
    if (leaderboard.settings.rolling) return live;
    const { closesAtMs, expireAtMs } = leaderboard.timesOf(period);
    const nowMs = this.settings.clock.now();
    if (nowMs < closesAtMs) return live;
    const { past } = this.extensions;
    if (past) {
      const found = await past.find(leaderboard, period);
      return found ? { ...found, settled: found.period } : live;
    }
    if (nowMs < expireAtMs) return live;
    throw unknownPeriod(
      `The board of "${leaderboard.name}" ${period.key} has expired: import SettlementModule to archive periods.`,
    );
  }

  /** @throws ActivityError `invalidQuery` where titles are asked for and nothing gives them. */
  wantsTitles({ titles = false, from, to }: LookupQuery): boolean {
    if (titles && (from ?? to) !== undefined) throw invalidQuery('titles', 'cannot be true of a span of days');
    if (!titles || this.extensions.titles) return titles;
    throw invalidQuery('titles', 'cannot be true: the app imports no TitlesModule');
  }

  private live(leaderboard: LeaderboardBoards, period: Period): FoundStandings {
    return {
      standings: leaderboard.reader(period),
      hiddenEntry: (userId) => leaderboard.aside(period).entry(userId),
      settled: null,
      read: (work) => this.connection.read(work),
    };
  }
}

function unknownPeriod(message: string, cause?: unknown): ActivityError {
  return new ActivityError('unknownPeriod', message, { cause });
}
