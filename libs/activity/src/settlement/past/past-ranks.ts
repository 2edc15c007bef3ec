import { type Entry, Period, type PeriodKind, type Ranking, type RedisClient } from '@laurel/leaderboard';
import { chunksOf, dayMs, runScript } from '@laurel/leaderboard/internals';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { checkUserId, checkWhole, dayIn } from '../../core/activity/checks';
import { invalidQuery } from '../../core/errors/errors';
import { Extensions } from '../../core/extensions/extensions';
import { readScoped, writeScoped } from '../../core/http/scoped-cursor';
import type { LeaderboardBoards } from '../../core/ledgers/leaderboard-boards';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../../core/options/settings';
import { Leaderboards } from '../../core/ranks/leaderboards';
import { nameAnswer, periodAnswer, settledAnswer } from '../../core/ranks/page-assembler';
import { Profiles } from '../../core/ranks/profiles';
import { allowed } from '../../core/ranks/rank.dto';
import type { RankPeriod } from '../../core/ranks/rank.responses';
import type { StandingQuery } from '../../core/ranks/rank.service';
import { RedisConnection } from '../../core/redis/redis-connection';
import { scripts } from '../../scripts/scripts.generated';
import {
  readArchive,
  type SettledPeriod,
  STANDINGS_ARCHIVE,
  type StandingsArchive,
} from '../archive/standings-archive';
import { SettledBoards } from '../settled-boards';
import { ArchivedPast } from './archived-past';
import type { PeriodsQuery, PointsQuery, RankHistoryQuery } from './past.dto';
import type { ListedPeriod, RankHistory, RankHistoryEntry, RankPeriods, RankPoints } from './past.responses';

/** From the first moment of a day up to the last of another; infinite where it has no bound. */
interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Periods that start before a moment, at most so many, the latest first. */
interface PeriodWindow {
  readonly beforeMs: number;
  readonly limit: number;
}

/** A user's entry in a period; without a rank if they are excluded. */
interface PeriodEntry extends Omit<RankHistoryEntry, 'total' | 'rank'> {
  readonly rank: number | null;
  readonly total: () => number | Promise<number>;
}

/** The periods in which a user's entries are read. */
interface EntriesQuery extends PeriodWindow {
  /** Those that were written: the boards in Redis. */
  readonly live: readonly Period[];
  /** The records of the app's archive: it is read for these. */
  readonly settled: readonly SettledPeriod[];
  /** Entries of archived periods before it are left out. */
  readonly fromMs: number;
  readonly ranking: Ranking;
  /** Whether the user's entries lie beside the boards: these have no rank that counts. */
  readonly isExcluded?: boolean;
}

/** How many boards, and how many archived periods, one page of a user's history looks through. */
const historyWindow = 100;

/** The same where each board costs a count of the scores ahead. */
const denseWindow = 10;

/** Of rolling windows the latest are listed, the current one included: each must be put together to be counted. */
const maxWindows = 3;

const boardsACall = 500;

/** Periods may start before 1970, not before the calendar does. */
const firstMs = Date.parse('0000-01-01') - dayMs;
const isStart = (ms: unknown): ms is number => Number.isSafeInteger(ms) && Number(ms) >= firstMs;

/** The kinds of periods that follow one another. */
const calendarKinds: readonly PeriodKind[] = ['day', 'week', 'month', 'quarter', 'year', 'season'];

/** Reads periods that have ended, in Redis and in an archive of the app's: which there are, and where a user stood. */
@Injectable()
export class PastRanks {
  constructor(
    private readonly leaderboards: Leaderboards,
    private readonly profiles: Profiles,
    private readonly past: ArchivedPast,
    private readonly connection: RedisConnection,
    private readonly extensions: Extensions,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
    @Optional() @Inject(STANDINGS_ARCHIVE) private readonly archive: StandingsArchive | null = null,
  ) {}

  /**
   * The periods that can be read, live and archived, the latest first; the current one is always among them.
   * @throws ActivityError `unknownLeaderboard`, `invalidQuery`, `unavailable`; LeaderboardError `invalidCursor`.
   */
  async periods(leaderboard: string, query: PeriodsQuery = {}): Promise<RankPeriods> {
    const { limit = 20, cursor } = query;
    checkWhole('limit', limit, allowed.limit);
    const found = this.leaderboards.find(leaderboard, query.partition);
    const span = spanOf(query, found.settings.timezone);
    const scope = ['periods', found.label];
    const placeMs = cursor === undefined ? Infinity : readScoped(scope, cursor, isStart);
    const window = { limit: limit + 1, beforeMs: Math.min(placeMs, span.toMs) };
    const [live, settled] = await Promise.all([this.live(found, window), this.settled(found, window)]);
    const current = cursor === undefined ? [{ period: found.current(), total: 0 }] : [];
    const boards = [...current, ...live].filter(({ period }) => !settled.some((one) => one.period === period.key));
    const shown = boards.map(({ period }) => period);
    const answers = await this.answersOf(found, shown);
    const listed = new Map<string, ListedPeriod>(settled.map((one) => [one.period, listedAnswer(one)]));
    boards.forEach(({ period, total }, i) => listed.set(period.key, { ...(answers[i] as ListedPeriod), total }));

    const all = [...listed.values()].filter((one) => touches(one, span)).sort(latestFirst);
    const periods = all.slice(0, limit);
    const last = all.length > limit ? periods.at(-1) : undefined;
    return { ...nameAnswer(found), periods, next: last ? writeScoped(scope, Date.parse(last.start)) : null };
  }

  /**
   * The user's points in each period of up to 366 days (on boards of days) or ten years (on others), the earliest
   * first, the current period included. Some four round trips, and as many reads of the archive, for each 100 periods.
   * @throws ActivityError as {@link periods}.
   */
  async points(
    leaderboard: string,
    userId: string,
    { tellsExcluded = false, ...query }: PointsQuery & Pick<StandingQuery, 'tellsExcluded'> = {},
  ): Promise<RankPoints> {
    checkUserId(userId);
    const found = this.leaderboards.find(leaderboard, query.partition);
    const range = this.pointsRange(found, query);
    const span = spanOf(range, found.settings.timezone);
    const isExcluded = tellsExcluded && (await this.extensions.moderation?.exclusionOf(userId)) != null;
    // The first period that touches the time, and at most one a day from it on.
    const fromMs = found.ledger.periods.of(found.name, span.fromMs).start.getTime();
    const window = { limit: Math.max(0, Math.ceil((span.toMs - fromMs) / dayMs)) + 1, beforeMs: span.toMs };
    const current = found.current();
    const written = (await this.written(found, window)).filter(({ key }) => key !== current.key);
    const live = [current, ...written].filter((period) => touches(periodAnswer(period, 'open'), span));
    const settled = live.length === 0 ? [] : await this.settled(found, { ...window, limit: live.length });
    const asked = { ...window, live, settled, fromMs, ranking: 'ordinal', isExcluded } as const;
    const entries = (await this.entriesOf(found, userId, asked)).filter(({ period }) => touches(period, span));
    const periods = entries.reverse().map(({ period: { key, start }, score, rank }) => {
      return { period: key, start, points: score, rank };
    });
    return { ...nameAnswer(found), userId, ...range, periods };
  }

  /**
   * Where a user stood in periods that have ended, the latest first. A page may have fewer entries than `limit`
   * although others follow.
   * @throws ActivityError as {@link periods}.
   */
  async history(leaderboard: string, userId: string, query: RankHistoryQuery = {}): Promise<RankHistory> {
    checkUserId(userId);
    const { limit = 20, cursor, ranking = 'ordinal' } = query;
    checkWhole('limit', limit, allowed.limit);
    const found = this.leaderboards.find(leaderboard, query.partition);
    const scope = ['history', found.label, userId];
    const current = found.current();
    const { closesAtMs } = found.timesOf(current);
    // The current period of a contest or of seasons that are over has ended, too.
    const isOver = this.settings.clock.now() >= Math.min(current.end?.getTime() ?? Infinity, closesAtMs);
    const endedMs = current.start.getTime() + (isOver ? 1 : 0);
    const beforeMs = cursor === undefined ? endedMs : Math.min(endedMs, readScoped(scope, cursor, isStart));
    const width = ranking === 'dense' && !this.archive ? denseWindow : historyWindow;
    const window = { limit: width, beforeMs };
    const profiles = this.profiles.find([userId]);
    const [written, settled] = await Promise.all([this.written(found, window), this.settled(found, window)]);
    // Before it, periods were not looked at: they wait for the page on which they are.
    const starts = new Set([...written.map(({ start }) => start.getTime()), ...settled.map((one) => one.startMs)]);
    const fromMs = [...starts].sort((a, b) => b - a)[width - 1] ?? -Infinity;
    const live = written.filter(({ start }) => start.getTime() >= fromMs);
    const all = await this.entriesOf(found, userId, { live, settled, beforeMs, limit: limit + 1, fromMs, ranking });
    const entries = await Promise.all(
      all.slice(0, limit).map(async ({ rank, total, ...one }) => ({ ...one, rank: rank ?? 0, total: await total() })),
    );
    const last = entries.at(-1);
    const endMs = all.length > limit && last ? Date.parse(last.period.start) : fromMs;
    const next = endMs === -Infinity ? null : writeScoped(scope, endMs);
    return { ...nameAnswer(found), userId, user: (await profiles).get(userId) ?? null, entries, next };
  }

  /** The days that are asked for, by default the year up to today. */
  private pointsRange(
    { settings: { timezone, period } }: LeaderboardBoards,
    query: PointsQuery,
  ): { readonly from: string; readonly to: string } {
    if (!calendarKinds.includes(period)) {
      throw invalidQuery(
        'leaderboard',
        'must be one of days, weeks, months, quarters, years or seasons: no others follow one another',
      );
    }
    const today = Period.of('day', new Date(this.settings.clock.now()), timezone);
    const last = query.to === undefined ? today : dayIn('to', query.to, timezone);
    const days = (count: number) => new Date(last.start.getTime() - count * dayMs);
    const from = query.from ?? Period.of('day', new Date(days(365).getTime() + dayMs / 2), timezone).key;
    const maxDays = period === 'day' ? 366 : 3_660;
    if (spanOf({ from, to: last.key }, timezone).fromMs >= days(maxDays - 0.5).getTime()) return { from, to: last.key };
    throw invalidQuery('from', `must be one of the ${maxDays} days up to ${last.key}`);
  }

  /** The boards in Redis that anyone is on, and of how many users. Two round trips; more where some are empty. */
  private async live(leaderboard: LeaderboardBoards, { beforeMs, limit }: PeriodWindow) {
    const found: { readonly period: Period; readonly total: number }[] = [];
    for (let before = beforeMs; ;) {
      const periods = await this.written(leaderboard, { beforeMs: before, limit });
      const sizes = periods.map((period) => leaderboard.reader(period).size());
      const totals = await this.connection.read(() => Promise.all(sizes));
      found.push(...periods.flatMap((period, i) => (totals[i] ? [{ period, total: totals[i] }] : [])));
      const last = periods.at(-1);
      if (!last || periods.length < limit || found.length >= limit) return found.slice(0, limit);
      before = last.start.getTime();
    }
  }

  /** The periods that were written, also where nobody is left on them. One round trip. */
  private async written(leaderboard: LeaderboardBoards, { beforeMs, limit }: PeriodWindow): Promise<readonly Period[]> {
    const { settings, ledger, name } = leaderboard;
    if (settings.rolling === null) {
      const options = Number.isFinite(beforeMs) ? { limit, before: new Date(beforeMs) } : { limit };
      return this.connection.read(() => ledger.periods.written(name, options));
    }
    // Windows overlap: many of them begin before a moment and hold it.
    const windows: Period[] = [];
    let period: Period | null = leaderboard.current();
    for (let seen = 0; period && seen < maxWindows; seen += 1) {
      if (this.settings.clock.now() >= leaderboard.timesOf(period).expireAtMs) break;
      if (period.start.getTime() < beforeMs) windows.push(period);
      period = this.leaderboards.before(leaderboard, period);
    }
    return windows.slice(0, limit);
  }

  /** The periods that the app's archive has. */
  private async settled({ label }: LeaderboardBoards, { limit, beforeMs }: PeriodWindow): Promise<SettledPeriod[]> {
    const { archive } = this;
    const options = Number.isFinite(beforeMs) ? { limit, beforeMs } : { limit };
    return archive ? readArchive(this.settings, () => archive.periods(label, options)) : [];
  }

  /** What live periods are: the records of settled boards, the state of others. */
  private async answersOf(leaderboard: LeaderboardBoards, periods: readonly Period[]): Promise<RankPeriod[]> {
    const { label, ledger, settings } = leaderboard;
    const boards = new SettledBoards(this.connection.client, ledger);
    const keys = periods.map(({ key }) => key);
    const isKnown = this.archive === null && settings.rolling === null;
    const known = isKnown ? await this.connection.read(() => boards.all([label], keys)) : [];
    return Promise.all(
      periods.map(async (period, i) => {
        if (known[i]) return listedAnswer(known[i]);
        return periodAnswer(period, await this.connection.read(() => leaderboard.stateOf(period)));
      }),
    );
  }

  /** A user's entries on boards, and in the archive where that has the period; the latest first. */
  private async entriesOf(leaderboard: LeaderboardBoards, userId: string, query: EntriesQuery): Promise<PeriodEntry[]> {
    const onBoards = this.entriesOnBoards(leaderboard, userId, query);
    const entries = (await Promise.all([onBoards, this.entriesInArchive(leaderboard, userId, query)])).flat();
    return entries.sort((a, b) => latestFirst(a.period, b.period));
  }

  /** One call for each 500 boards finds those that the user is on, or beside; then one command for each entry. */
  private async entriesOnBoards(
    leaderboard: LeaderboardBoards,
    userId: string,
    { live, settled, ranking, isExcluded = false }: EntriesQuery,
  ): Promise<PeriodEntry[]> {
    const { name, ledger, partition, settings } = leaderboard;
    const archived = new Set(settled.map(({ period }) => period));
    let periods = live.filter(({ key }) => !archived.has(key));
    if (!settings.rolling) {
      const isOn = await Promise.all(
        chunksOf(periods, boardsACall).map(async (some) => {
          const boards = some.map((period) => ledger.periods.boardPeriod(name, period, partition));
          const shard = ledger.shardOf(userId);
          const sets = boards.map((one) => (isExcluded ? one.asideKeys : one.keys)[shard] as string);
          const find = (client: RedisClient) => runScript(client, scripts.findMember, { sets }, { member: userId });
          const places = (await this.connection.read(find)) as number[];
          return places.map((place) => some[place - 1] as Period);
        }),
      );
      periods = isOn.flat();
    }
    const entries = periods.map(async (period): Promise<Omit<PeriodEntry, 'period'> | null> => {
      const { standings, hiddenEntry, read } = await this.leaderboards.standings(leaderboard, period);
      const entry: (Omit<Entry, 'rank'> & Partial<Entry>) | null = await read(() =>
        isExcluded ? hiddenEntry(userId) : standings.entry(userId, { ranking }),
      );
      if (!entry) return null;
      return {
        rank: isExcluded ? null : (entry.rank ?? null),
        score: leaderboard.pointsOf(entry.score),
        reachedAt: entry.reachedAt?.toISOString() ?? null,
        total: () => read(() => standings.size()),
      };
    });
    const [found, answers] = await Promise.all([Promise.all(entries), this.answersOf(leaderboard, periods)]);
    return answers.flatMap(({ key, start, end, state }, i) =>
      found[i] ? [{ period: { key, start, end, state }, ...found[i] }] : [],
    );
  }

  /** Excluded users have no rank; of others the entries that are hidden are left out. */
  private async entriesInArchive(
    leaderboard: LeaderboardBoards,
    userId: string,
    { limit, beforeMs, fromMs, ranking, isExcluded }: EntriesQuery,
  ): Promise<PeriodEntry[]> {
    const { archive } = this;
    if (!archive) return [];
    const options = { limit, beforeMs, ...(Number.isFinite(fromMs) && { fromMs }) };
    const history = await readArchive(this.settings, () => archive.history(leaderboard.label, userId, options));
    const found = await Promise.all(
      history.map(async ({ period, entry: row }): Promise<PeriodEntry | null> => {
        const standings = this.past.standingsOf(archive, period, period.hidden === undefined);
        const shown = isExcluded ? null : await readArchive(this.settings, () => standings.shown(row, ranking));
        if (!shown && !isExcluded) return null;
        return {
          period: settledAnswer({ ...period, key: period.period }),
          rank: shown && shown.rank,
          score: leaderboard.pointsOf(row.score),
          reachedAt: row.reachedAtMs === null ? null : new Date(row.reachedAtMs).toISOString(),
          total: () => listedAnswer(period).total,
        };
      }),
    );
    return found.filter((entry) => entry !== null);
  }
}

/**
 * The time from the first to the last of some days, both included, in a zone.
 * @throws ActivityError `invalidQuery` where one is no day, or the last comes before the first.
 */
function spanOf({ from, to }: Pick<PeriodsQuery, 'from' | 'to'>, timezone: string): TimeSpan {
  const fromMs = from === undefined ? -Infinity : dayIn('from', from, timezone).start.getTime();
  const toMs = to === undefined ? Infinity : (dayIn('to', to, timezone).end as Date).getTime();
  if (fromMs < toMs) return { fromMs, toMs };
  throw invalidQuery('from', `must not come after ${to}`);
}

/** A settled period in a list: with the users who are shown, its checksum and the order of equal scores. */
function listedAnswer(settled: SettledPeriod) {
  const { total, hidden = 0, checksum, tieRule } = settled;
  return { ...settledAnswer({ ...settled, key: settled.period }), total: total - hidden, checksum, tieRule };
}

function latestFirst(one: Pick<RankPeriod, 'start'>, other: Pick<RankPeriod, 'start'>): number {
  return Date.parse(other.start) - Date.parse(one.start);
}

function touches({ start, end }: Pick<RankPeriod, 'start' | 'end'>, { fromMs, toMs }: TimeSpan): boolean {
  return Date.parse(start) < toMs && (end === null || Date.parse(end) > fromMs);
}
