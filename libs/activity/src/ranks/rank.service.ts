import { Period, type Entry, type PeriodKind, type Ranking } from '@laurel/leaderboard';
import { Injectable } from '@nestjs/common';
import { identifierFault, maxUserIdBytes } from '../activity/identifier';
import { RedisConnection } from '../redis/redis-connection';
import { faultsError } from '../errors/errors';
import { Exclusions } from '../moderation/exclusions/exclusions';
import type { LeaderboardBoards } from '../ledgers/leaderboard-boards';
import { Titles } from '../titles/titles';
import { FirstPages } from './first-pages';
import { Leaderboards } from './leaderboards';
import { dayOf, spanOf, type DayRange } from '../settlement/past/asked-days';
import { LivePartitions } from '../settlement/past/live-partitions';
import { PastPeriods } from '../settlement/past/past-periods';
import { PreviousRanks } from '../settlement/past/previous-ranks';
import { Profiles } from './profiles';
import { RankPages } from './rank-pages';
import {
  aheadAnswer,
  entryAnswer,
  missingAnswer,
  nameAnswer,
  periodAnswer,
  topTenOf,
  userAnswer,
} from './rank.answers';
import type {
  RankEntry,
  RankHistory,
  RankLeaderboard,
  RankLookup,
  RankPage,
  RankPartitions,
  RankPeriods,
  RankPoints,
  RankStanding,
} from './rank.responses';
import { RulesInForce } from '../rules/rules-in-force';
import type { AskedPeriod } from '../extensions/asked-period';
import { isTied, nextAhead } from './standings/neighbours';
import { StandingsFinder, type FoundStandings } from './standings/standings-finder';

/** Which period, and how equal scores are ranked. */
export interface RankOptions {
  /** `current` (default), `previous` or a key such as `2026-11-20`. */
  readonly period?: string;
  /** Default `ordinal`. */
  readonly ranking?: Ranking;
  /** Which partition of the leaderboard. */
  readonly partition?: string;
}

/** Whether entries come with their users' titles. */
export interface TitlesOption {
  /** Default false. */
  readonly titles?: boolean;
}

/** Whose entries, and what beside them. */
export interface LookupOptions extends RankOptions, TitlesOption {}

/** Which period, and for whom. */
export interface StandingOptions extends RankOptions {
  /**
   * Whether a user who is kept off the leaderboards is told what he has: for himself and for operators. To all others he is
   * as one who is not on them. Default false.
   */
  readonly tellsExcluded?: boolean;
}

/** Which page of standings: by `offset` or by the `cursor` that the page before gave. */
export interface StandingsOptions extends RankOptions, TitlesOption {
  /** 1 to 100. Default 10. */
  readonly limit?: number;
  /** Entries to pass over. Default 0. */
  readonly offset?: number;
  readonly cursor?: string;
}

/** How far around a user. */
export interface AroundOptions extends RankOptions, TitlesOption {
  /** 0 to 50. Default 5. */
  readonly radius?: number;
}

/** Which of a leaderboard's periods: the page behind the `cursor` that the page before gave. */
export interface PeriodsOptions {
  /** 1 to 100. Default 20. */
  readonly limit?: number;
  readonly cursor?: string;
  /** Which partition of the leaderboard. */
  readonly partition?: string;
}

/** Which of a leaderboard's periods: those that touch the days, both included. */
export interface PeriodListOptions extends PeriodsOptions, DayRange {}

/** Over which days a user's points are told, both included. */
export interface PointsOptions extends DayRange {
  /** Which partition of the leaderboard. */
  readonly partition?: string;
}

/** Which partitions of a leaderboard. */
export interface PartitionsOptions {
  /** As in {@link RankOptions}. Default `current`. */
  readonly period?: string;
  /** 1 to 100. Default 20. */
  readonly limit?: number;
  readonly cursor?: string;
}

/** Which of a user's past periods. */
export interface RankHistoryOptions extends PeriodsOptions {
  /** Default `ordinal`. */
  readonly ranking?: Ranking;
}

/** Who leads, and where somebody stands. */
@Injectable()
export class RankService {
  constructor(
    private readonly leaderboards: Leaderboards,
    private readonly finder: StandingsFinder,
    private readonly previous: PreviousRanks,
    private readonly past: PastPeriods,
    private readonly parts: LivePartitions,
    private readonly profiles: Profiles,
    private readonly titles: Titles,
    private readonly pages: RankPages,
    private readonly firstPages: FirstPages,
    private readonly connection: RedisConnection,
    private readonly exclusions: Exclusions,
    private readonly rules: RulesInForce,
  ) {}

  /**
   * The leaderboards there are. Reads nothing but, once each, whether a period that may be is frozen.
   * @throws ActivityError `unavailable`
   */
  async list(): Promise<readonly RankLeaderboard[]> {
    return Promise.all(
      this.leaderboards.all().map(async (leaderboard) => {
        const { period: kind, timezone, partition, actions } = leaderboard.settings;
        const current = this.leaderboards.period(leaderboard, 'current');
        return {
          name: leaderboard.name,
          kind,
          timezone,
          ...(partition !== null && { partition }),
          actions: actions ?? this.rules.book.actions,
          current: periodAnswer(current, await this.connection.read(() => leaderboard.stateOf(current))),
        };
      }),
    );
  }

  /**
   * A page of standings. First pages may be up to `cacheMs` old, one object shared by all who ask meanwhile.
   * @throws ActivityError `unknownLeaderboard`, `unknownPeriod`, `invalidQuery`, `unavailable`; LeaderboardError
   * `invalidCursor`.
   */
  async standings(leaderboard: string, query: StandingsOptions = {}): Promise<RankPage> {
    const asked = this.asked(leaderboard, query);
    const { limit = 10, offset = 0, cursor, titles = false } = query;
    checkWhole('limit', limit, [1, 100]);
    checkWhole('offset', offset, [0, 1_000_000_000]);
    if (cursor !== undefined && offset > 0) {
      throw faultsError('invalidQuery', [{ path: 'cursor', message: 'cannot be used together with offset' }]);
    }
    if (cursor !== undefined || offset > 0) return this.readPage(asked, { limit, offset, cursor, titles });
    const start = await this.firstPages.start(asked.leaderboard, asked.period, limit);
    return start.page({ limit, ranking: asked.ranking, titles });
  }

  /**
   * One user's entry with his title, who has the next better rank, what the first ten have, and his percentile. One round
   * trip for these; by `competition` one more for who stands behind equals, by `dense` two.
   * @param query the period alone, or the period and how equal scores are ranked.
   */
  async standing(leaderboard: string, userId: string, query: string | StandingOptions = {}): Promise<RankStanding> {
    checkUserId(userId);
    const options: StandingOptions = typeof query === 'string' ? { period: query } : query;
    const asked = this.asked(leaderboard, options);
    const found = await this.finder.find(asked.leaderboard, asked.period);
    const { standings } = found;
    const { ranking } = asked;
    const [{ total, entry, percentile, neighbours, ahead, tenth }, [previousRank = null], profiles] = await Promise.all(
      [
        found.read(async () => {
          const [total, entry, percentile, window, tenth] = await Promise.all([
            standings.size(),
            standings.entry(userId, { ranking }),
            standings.percentile(userId),
            standings.around(userId, { radius: 1, ranking: 'ordinal' }),
            standings.at(10, { ranking: 'ordinal' }),
          ]);
          const neighbours = { window, ranking };
          const ahead = entry && (await nextAhead(standings, entry, neighbours));
          return { total, entry, percentile, neighbours, ahead, tenth };
        }),
        this.previous.find(asked, [userId]),
        this.profiles.find([userId]),
      ],
    );
    const excluded = entry || !options.tellsExcluded ? null : await this.excluded(found, userId);
    if (excluded) {
      return {
        ...(await this.pages.answer(asked, found, total)),
        entry: { ...missingAnswer(userId, profiles), ...excluded },
        excluded: true,
        tied: false,
        percentile: null,
        ahead: null,
        top10: null,
      };
    }
    const titles = await this.titles.find(asked, entry ? [entry] : []);
    return {
      ...(await this.pages.answer(asked, found, total)),
      entry: entry ? entryAnswer(entry, { profiles, previousRank, titles }) : missingAnswer(userId, profiles, titles),
      tied: entry !== null && isTied(entry, neighbours),
      percentile: entry ? percentile : null,
      ahead: entry && aheadAnswer(entry, ahead),
      top10: topTenOf({ userId, score: entry?.score ?? 0 }, neighbours, tenth),
    };
  }

  /** The user in the middle of his neighbours; no entries where he is not on the leaderboard. */
  async around(leaderboard: string, userId: string, query: AroundOptions = {}): Promise<RankPage> {
    checkUserId(userId);
    const { radius = 5, titles = false } = query;
    checkWhole('radius', radius, [0, 50]);
    const asked = this.asked(leaderboard, query);
    const found = await this.finder.find(asked.leaderboard, asked.period);
    const { standings } = found;
    const [total, entries] = await found.read(() =>
      Promise.all([standings.size(), standings.around(userId, { radius, ranking: asked.ranking })]),
    );
    return this.pages.page(asked, found, { total, entries, next: null, titles });
  }

  /** The entries of up to 200 users, in the order asked: a friends' board. */
  async lookup(leaderboard: string, userIds: readonly string[], query: LookupOptions = {}): Promise<RankLookup> {
    checkWhole('userIds', userIds.length, [1, 200]);
    userIds.forEach((userId, index) => checkUserId(userId, `userIds.${index}`));
    const asked = this.asked(leaderboard, query);
    const found = await this.finder.find(asked.leaderboard, asked.period);
    const { standings } = found;
    const [[total, entries], previousRanks, profiles] = await Promise.all([
      found.read(() => Promise.all([standings.size(), standings.entries(userIds, { ranking: asked.ranking })])),
      this.previous.find(asked, userIds),
      this.profiles.find([...new Set(userIds)]),
    ]);
    const titles = query.titles === true ? await this.titles.find(asked, distinct(entries)) : undefined;
    return {
      ...(await this.pages.answer(asked, found, total)),
      entries: userIds.map((userId, index) => {
        const entry = entries[index];
        const previousRank = previousRanks[index] ?? null;
        return entry ? entryAnswer(entry, { profiles, previousRank, titles }) : missingAnswer(userId, profiles, titles);
      }),
    };
  }

  /** The periods that can be read, live and archived, the latest first. */
  async periods(leaderboard: string, query: PeriodListOptions = {}): Promise<RankPeriods> {
    const { limit = 20, cursor } = query;
    checkWhole('limit', limit, [1, 100]);
    const found = this.leaderboards.find(leaderboard, query.partition);
    return this.past.list(found, { limit, cursor, span: spanOf(query, found.settings.timezone) });
  }

  /**
   * The partitions of a leaderboard that have entries, by name, as long as their boards live in Redis. A page may
   * have fewer parts than `limit` and be followed by others. One round trip for the names, and one for the sizes.
   * @throws ActivityError as {@link standings}.
   */
  async partitions(leaderboard: string, query: PartitionsOptions = {}): Promise<RankPartitions> {
    const { limit = 20, cursor, period: key = 'current' } = query;
    checkWhole('limit', limit, [1, 100]);
    const found = this.leaderboards.whole(leaderboard);
    const { partition } = found.settings;
    if (partition === null) {
      const message = `must be a partitioned one: "${leaderboard}" has no parts`;
      throw faultsError('invalidQuery', [{ path: 'leaderboard', message }]);
    }
    const period = this.leaderboards.period(found, key);
    const [page, state] = await Promise.all([
      this.parts.list(found, period, { limit, cursor }),
      this.connection.read(() => found.stateOf(period)),
    ]);
    return { leaderboard, key: partition, period: periodAnswer(period, state), ...page };
  }

  /**
   * What a user had in each period of up to 366 days (of boards of days) or ten years (of others), the earliest first, the
   * current one included. Some four round trips, and as many reads of the archive, for each 100 periods.
   * @throws ActivityError as {@link standings}.
   */
  async points(leaderboard: string, userId: string, query: PointsOptions = {}): Promise<RankPoints> {
    checkUserId(userId);
    const found = this.leaderboards.find(leaderboard, query.partition);
    const range = this.pointsRange(found, query);
    const entries = await this.past.during(found, userId, spanOf(range, found.settings.timezone));
    return {
      ...nameAnswer(found),
      userId,
      ...range,
      periods: entries.map(({ period, score, rank }) => ({
        period: period.key,
        start: period.start,
        points: score,
        rank,
      })),
    };
  }

  /**
   * Where a user stood in periods that have ended, the latest first. A page may have fewer entries than `limit` and be
   * followed by others.
   */
  async history(leaderboard: string, userId: string, query: RankHistoryOptions = {}): Promise<RankHistory> {
    checkUserId(userId);
    const { limit = 20, cursor, ranking = 'ordinal' } = query;
    checkWhole('limit', limit, [1, 100]);
    const found = this.leaderboards.find(leaderboard, query.partition);
    const [{ entries, next }, profiles] = await Promise.all([
      this.past.history(found, userId, { limit, cursor, ranking }),
      this.profiles.find([userId]),
    ]);
    return { ...nameAnswer(found), userId, user: userAnswer(profiles.get(userId)), entries, next };
  }

  /** What a user who is kept off the leaderboards may know of his own entry; null where nothing keeps him off. */
  private async excluded({ standings, read }: FoundStandings, userId: string): Promise<Partial<RankEntry> | null> {
    if (!(await this.exclusions.find(userId)).excluded) return null;
    const entry = await read(() => standings.hiddenEntry(userId));
    return entry ? { score: entry.score, reachedAt: entry.reachedAt?.toISOString() ?? null } : {};
  }

  /** The days that are asked for, or the year up to today. */
  private pointsRange(
    { settings }: LeaderboardBoards,
    query: DayRange,
  ): { readonly from: string; readonly to: string } {
    const { timezone, period } = settings;
    if (!isCalendar(period)) {
      const message = 'must be one of days, weeks, months or years: no others follow one another';
      throw faultsError('invalidQuery', [{ path: 'leaderboard', message }]);
    }
    const last = query.to === undefined ? this.leaderboards.today(timezone) : dayOf('to', query.to, timezone);
    const days = (count: number) => new Date(last.start.getTime() - count * dayMs);
    const from = query.from ?? Period.of('day', new Date(days(365).getTime() + dayMs / 2), timezone).key;
    const maxDays = period === 'day' ? 366 : 3_660;
    if (spanOf({ from, to: last.key }, timezone).fromMs >= days(maxDays - 0.5).getTime()) return { from, to: last.key };
    throw faultsError('invalidQuery', [
      { path: 'from', message: `must be one of the ${maxDays} days up to ${last.key}` },
    ]);
  }

  private asked(name: string, { period: key = 'current', ranking = 'ordinal', partition }: RankOptions): AskedPeriod {
    const leaderboard = this.leaderboards.find(name, partition);
    return { leaderboard, period: this.leaderboards.period(leaderboard, key), ranking };
  }

  private async readPage(
    asked: AskedPeriod,
    {
      limit,
      offset,
      cursor,
      titles,
    }: {
      readonly limit: number;
      readonly offset: number;
      readonly cursor: string | undefined;
      readonly titles: boolean;
    },
  ): Promise<RankPage> {
    const found = await this.finder.find(asked.leaderboard, asked.period);
    const { standings } = found;
    const options = { ranking: asked.ranking };
    const [total, { entries, next }] = await found.read(() =>
      Promise.all([
        standings.size(),
        offset > 0 ? standings.pageAt(offset, limit, options) : standings.after(cursor ?? null, limit, options),
      ]),
    );
    return this.pages.page(asked, found, { total, entries, next, titles });
  }
}

const dayMs = 86_400_000;

/** Whether one period of the kind follows another. */
function isCalendar(kind: PeriodKind): boolean {
  return kind === 'day' || kind === 'week' || kind === 'month' || kind === 'year';
}

/** A user who is looked up twice is one. */
function distinct(entries: readonly (Entry | null)[]): Entry[] {
  return [...new Map(entries.flatMap((entry) => (entry ? [[entry.member, entry]] : []))).values()];
}

function checkUserId(userId: string, path = 'userId'): void {
  const message = identifierFault(userId, maxUserIdBytes);
  if (message !== null) throw faultsError('invalidQuery', [{ path, message }]);
}

function checkWhole(path: string, value: number, [min, max]: readonly [number, number]): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw faultsError('invalidQuery', [{ path, message: `must be a whole number from ${min} to ${max}` }]);
}
