import { type Entry, Period, type Ranking } from '@laurel/leaderboard';
import { chunksOf, runScript } from '@laurel/leaderboard/internals';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { RedisConnection } from '../../core/redis/redis-connection';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../../core/options/settings';
import type { LeaderboardBoards } from '../../core/ledgers/leaderboard-boards';
import { HiddenPlaces } from '../archive/hidden-places';
import {
  type ArchivedEntry,
  readArchive,
  type SettledPeriod,
  STANDINGS_ARCHIVE,
  type StandingsArchive,
} from '../archive/standings-archive';
import { Leaderboards, StandingsFinder } from '../../core/ranks/leaderboards';
import { nameAnswer, periodAnswer, settledAnswer } from '../../core/ranks/page-assembler';
import type { RankPeriod } from '../../core/ranks/rank.responses';
import type { ListedPeriod, RankHistoryEntry, RankPeriods } from './past.responses';
import { ArchivedStandings } from '../archive/archived-standings';
import { Extensions } from '../../core/extensions/extensions';
import type { PeriodQuery } from '../../core/extensions/standings';
import { readPlace, writeScoped } from '../../core/http/scoped-cursor';
import { scripts } from '../../scripts/scripts.generated';
import { SettledBoards } from '../settled-boards';
import { ArchivedPast } from './archived-past';
import { endOf, LivePeriods, type PeriodWindow, type TimeSpan } from './live-periods';

/** A page of what is ordered by the start of its period, the latest first. */
interface PageOptions {
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** The periods that touch a time. */
interface SpanOptions {
  readonly span: TimeSpan;
}

/** How many boards, and how many archived periods, one page of a user's history looks through. */
const historyWindow = 100;

/** The same where each board costs a count of the scores ahead. */
const denseWindow = 10;

const dayMs = 86_400_000;

const boardsACall = 500;

/** The periods in which a user's entries are read: live ones, and which of them are settled. */
interface LookedThrough {
  readonly live: readonly Period[];
  readonly settled: readonly SettledPeriod[];
  readonly ranking: Ranking;
  /** Whether the user's entries lie beside the boards: these have no rank that counts. */
  readonly isExcluded?: boolean;
}

/** Where a user stood in a period. */
type PlaceThen = Omit<RankHistoryEntry, 'total'>;

/** A user's entry in a period; without a rank if they are excluded. */
type PointsThen = Pick<PlaceThen, 'period' | 'score'> & { readonly rank: number | null };

/** The same of a live board, whose total is read where it is wanted. */
interface LivePlace {
  readonly place: PlaceThen;
  readonly total: () => Promise<number>;
}

/** Periods may start before 1970, not before the calendar does. */
const firstMs = Date.parse('0000-01-01') - dayMs;

/** A leaderboard's periods, in Redis and in an archive of the app's. */
@Injectable()
export class PastPeriods {
  constructor(
    private readonly leaderboards: Leaderboards,
    private readonly live: LivePeriods,
    private readonly finder: StandingsFinder,
    private readonly past: ArchivedPast,
    private readonly connection: RedisConnection,
    private readonly extensions: Extensions,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
    @Optional() @Inject(STANDINGS_ARCHIVE) private readonly archive: StandingsArchive | null = null,
  ) {}

  /** The periods that can be read, the latest first; the one that runs is always among them. */
  async list(leaderboard: LeaderboardBoards, { limit, cursor, span }: PageOptions & SpanOptions): Promise<RankPeriods> {
    const { label } = leaderboard;
    const scope = ['periods', label];
    const placeMs = cursor === undefined ? Infinity : readPlace(scope, cursor, firstMs);
    const window = { limit: limit + 1, beforeMs: Math.min(placeMs, span.toMs) };
    const [live, settled] = await Promise.all([this.live.list(leaderboard, window), this.settled(label, window)]);
    const current = this.leaderboards.period(leaderboard, 'current');
    const listed = new Map<string, ListedPeriod>();
    // If both know a period, the archive's entry is used.
    if (cursor === undefined) listed.set(current.key, { ...periodAnswer(current, 'open'), total: 0 });
    const isSettled = new Set(settled.map(({ period }) => period));
    const unsettled = live.filter(({ period }) => !isSettled.has(period.key));
    const known = await this.knownOf(
      leaderboard,
      unsettled.map(({ period }) => period),
    );
    const answers = await Promise.all(unsettled.map(({ period }, i) => this.liveAnswer(leaderboard, period, known[i])));
    unsettled.forEach(({ period, total }, i) => {
      const one = known[i];
      const final = one && { checksum: one.checksum, tieRule: one.tieRule };
      listed.set(period.key, { ...(answers[i] as RankPeriod), total, ...final });
    });
    for (const one of settled) {
      const { checksum, tieRule } = one;
      listed.set(one.period, { ...archivedAnswer(one), total: shownOf(one), checksum, tieRule });
    }

    const all = [...listed.values()].filter((one) => touches(one, span)).sort((a, b) => startMs(b) - startMs(a));
    const periods = all.slice(0, limit);
    const last = all.length > limit ? periods.at(-1) : undefined;
    return { ...nameAnswer(leaderboard), periods, next: last ? writeScoped(scope, startMs(last)) : null };
  }

  /** Where a user stood in periods that have ended, the latest first. */
  async history(
    leaderboard: LeaderboardBoards,
    userId: string,
    { limit, cursor, ranking }: PageOptions & { readonly ranking: Ranking },
  ): Promise<{ readonly entries: readonly RankHistoryEntry[]; readonly next: string | null }> {
    const { label } = leaderboard;
    const scope = ['history', label, userId];
    const currentMs = this.leaderboards.period(leaderboard, 'current').start.getTime();
    const beforeMs = cursor === undefined ? currentMs : Math.min(currentMs, readPlace(scope, cursor, firstMs));
    const width = ranking === 'dense' && !this.archive ? denseWindow : historyWindow;
    const window = { limit: width, beforeMs };
    const [written, settled] = await Promise.all([this.live.written(leaderboard, window), this.settled(label, window)]);
    // Before it, periods were not looked at: they wait for the page on which they are.
    const floorMs = Math.max(
      ...[written.map(({ start }) => start.getTime()), settled.map((one) => one.startMs)].map((starts) =>
        starts.length < width ? -Infinity : Math.min(...starts),
      ),
    );
    const [found, archived] = await Promise.all([
      this.unsettledEntries(leaderboard, userId, {
        live: written.filter(({ start }) => start.getTime() >= floorMs),
        settled,
        ranking,
      }),
      this.archivedEntries(label, userId, { limit: limit + 1, beforeMs, fromMs: floorMs }),
    ]);

    const live = await Promise.all(found.map(async ({ place, total }) => ({ ...place, total: await total() })));
    const all = [...live, ...(await this.shownEntries(leaderboard, archived, { floorMs, ranking }))].sort(
      (a, b) => startMs(b.period) - startMs(a.period),
    );
    const entries = all.slice(0, limit);
    const last = entries.at(-1);
    const endMs = all.length > limit && last ? startMs(last.period) : floorMs;
    return { entries, next: endMs === -Infinity ? null : writeScoped(scope, endMs) };
  }

  /**
   * A user's entries in the periods that touch a time, which has both ends, the current one included, the earliest
   * first. Some three round trips, one more with `tellsExcluded`; nothing outside of the time is looked at.
   */
  async during(
    leaderboard: LeaderboardBoards,
    userId: string,
    { tellsExcluded, ...span }: TimeSpan & { readonly tellsExcluded: boolean },
  ): Promise<readonly PointsThen[]> {
    const isExcluded = tellsExcluded && (await this.extensions.moderation?.exclusionOf(userId)) != null;
    const ranking = 'ordinal';
    // The first period that touches the time, and at most one a day from it on.
    const fromMs = periodAt(leaderboard, span.fromMs).start.getTime();
    const window = { limit: Math.ceil((span.toMs - fromMs) / dayMs) + 1, beforeMs: span.toMs };
    const current = this.leaderboards.period(leaderboard, 'current');
    const written = await this.live.written(leaderboard, window);
    const live = [current, ...written.filter(({ key }) => key !== current.key)].filter((period) => {
      return period.start.getTime() < span.toMs && endOf(period) > span.fromMs;
    });
    const [settled, archived] = await Promise.all([
      live.length === 0 ? [] : this.settled(leaderboard.label, { ...window, limit: live.length }),
      this.archivedEntries(leaderboard.label, userId, { ...window, fromMs }),
    ]);
    const unsettled = await this.unsettledEntries(leaderboard, userId, { live, settled, ranking, isExcluded });
    const ofArchive = isExcluded
      ? archived.map(({ period, entry: { score } }) => {
          return { period: archivedAnswer(period), rank: null, score: leaderboard.pointsOf(score) };
        })
      : await this.shownEntries(leaderboard, archived, { floorMs: fromMs, ranking });
    const found: PointsThen[] = [
      ...unsettled.map(({ place }) => (isExcluded ? { ...place, rank: null } : place)),
      ...ofArchive,
    ];
    return found.filter(({ period }) => touches(period, span)).sort((a, b) => startMs(a.period) - startMs(b.period));
  }

  private async liveAnswer(
    leaderboard: LeaderboardBoards,
    period: Period,
    known: SettledPeriod | null | undefined,
  ): Promise<RankPeriod> {
    if (known) return archivedAnswer(known);
    return periodAnswer(period, await this.connection.read(() => leaderboard.stateOf(period)));
  }

  /** The user's entries on boards, but for those that the archive has. One command for each entry on one shard. */
  private async unsettledEntries(
    leaderboard: LeaderboardBoards,
    userId: string,
    { live, settled, ...asked }: LookedThrough,
  ): Promise<LivePlace[]> {
    const isSettled = new Set(settled.map(({ period }) => period));
    const unsettled = live.filter(({ key }) => !isSettled.has(key));
    const [periods, known] = await Promise.all([
      this.withEntry(leaderboard, { ...asked, live: unsettled }, userId),
      this.knownOf(leaderboard, unsettled),
    ]);
    const found = await Promise.all(
      periods.map((period) =>
        this.liveEntry({ leaderboard, period, ...asked }, userId, known[unsettled.indexOf(period)]),
      ),
    );
    return found.filter((entry) => entry !== null);
  }

  /** Those of the periods on whose boards, or beside which, a user has an entry. One call for each 500. */
  private async withEntry(
    { name, ledger, partition, settings }: LeaderboardBoards,
    { live, isExcluded }: Pick<LookedThrough, 'live' | 'isExcluded'>,
    userId: string,
  ): Promise<readonly Period[]> {
    if (settings.rolling) return live;
    const shard = ledger.shardOf(userId);
    const found = await Promise.all(
      chunksOf(live, boardsACall).map(async (some) => {
        const boards = some.map((period) => ledger.periods.boardPeriod(name, period, partition));
        const sets = boards.map((one) => (isExcluded ? one.asideKeys : one.keys)[shard] as string);
        const { client } = this.connection;
        const places = await this.connection.read(() =>
          runScript(client, scripts.findMember, { sets }, { member: userId }),
        );
        return (places as number[]).flatMap((place) => some[place - 1] ?? []);
      }),
    );
    return found.flat();
  }

  private async liveEntry(
    { leaderboard, period, ranking, isExcluded }: PeriodQuery & Pick<LookedThrough, 'isExcluded'>,
    userId: string,
    known: SettledPeriod | null | undefined,
  ): Promise<LivePlace | null> {
    const { standings, hiddenEntry, read } = await this.finder.find(leaderboard, period);
    const entry: (Omit<Entry, 'rank'> & Partial<Entry>) | null = await read(() =>
      isExcluded ? hiddenEntry(userId) : standings.entry(userId, { ranking }),
    );
    if (!entry) return null;
    const { rank = 0, score, reachedAt } = entry;
    const place = {
      period: await this.liveAnswer(leaderboard, period, known),
      rank,
      score: leaderboard.pointsOf(score),
      reachedAt: reachedAt?.toISOString() ?? null,
    };
    return { place, total: () => read(() => standings.size()) };
  }

  /** The records of boards that are settled standings. One round trip. */
  private async knownOf(
    { label, ledger, settings }: LeaderboardBoards,
    periods: readonly Period[],
  ): Promise<readonly (SettledPeriod | null)[]> {
    if (this.archive || settings.rolling) return [];
    const keys = periods.map(({ key }) => key);
    return this.connection.read(() => new SettledBoards(this.connection.client, ledger).all([label], keys));
  }

  private async settled(label: string, window: PeriodWindow): Promise<readonly SettledPeriod[]> {
    const { archive } = this;
    return archive ? readArchive(this.settings, () => archive.periods(label, finite(window))) : [];
  }

  /** Those of a user's archived entries that show, as others see them. */
  private async shownEntries(
    leaderboard: LeaderboardBoards,
    archived: readonly { readonly period: SettledPeriod; readonly entry: ArchivedEntry }[],
    { floorMs, ranking }: { readonly floorMs: number; readonly ranking: Ranking },
  ): Promise<RankHistoryEntry[]> {
    const { archive } = this;
    if (!archive) return [];
    const shown = await Promise.all(
      archived
        .filter(({ period }) => period.startMs >= floorMs)
        .map(async ({ period, entry: archivedEntry }) => {
          const none = () => Promise.resolve(HiddenPlaces.none);
          const isWhole = period.hidden === undefined;
          const standings = isWhole
            ? new ArchivedStandings(archive, period, none)
            : this.past.standingsOf(archive, period);
          const entry = await readArchive(this.settings, () => standings.shown(archivedEntry, ranking));
          return entry && { period, entry };
        }),
    );
    return shown
      .filter((one) => one !== null)
      .map(({ period, entry: { rank, score, reachedAt } }) => ({
        period: archivedAnswer(period),
        total: shownOf(period),
        rank,
        score: leaderboard.pointsOf(score),
        reachedAt: reachedAt?.toISOString() ?? null,
      }));
  }

  private async archivedEntries(
    label: string,
    userId: string,
    { fromMs, ...window }: PeriodWindow & { readonly fromMs: number },
  ) {
    const { archive } = this;
    if (!archive) return [];
    const floor = Number.isFinite(fromMs) ? { fromMs } : {};
    return readArchive(this.settings, () => archive.history(label, userId, { ...finite(window), ...floor }));
  }
}

function archivedAnswer({ period: key, startMs, endMs }: SettledPeriod): RankPeriod {
  return settledAnswer({ key, startMs, endMs });
}

function shownOf({ total, hidden = 0 }: SettledPeriod): number {
  return total - hidden;
}

function startMs({ start }: { readonly start: string }): number {
  return Date.parse(start);
}

function touches({ start, end }: RankPeriod, { fromMs, toMs }: TimeSpan): boolean {
  return Date.parse(start) < toMs && (end === null || Date.parse(end) > fromMs);
}

/** The port's way to say "of all times". */
function finite({ limit, beforeMs }: PeriodWindow): { readonly limit: number; readonly beforeMs?: number } {
  return Number.isFinite(beforeMs) ? { limit, beforeMs } : { limit };
}

/** The period that holds `atMs`; the nearest one where none does. */
function periodAt({ name, ledger, settings }: LeaderboardBoards, atMs: number): Period {
  const { rolling, spec, timezone } = settings;
  return rolling ? Period.nearest(spec, new Date(atMs), timezone) : ledger.periods.of(name, atMs);
}
