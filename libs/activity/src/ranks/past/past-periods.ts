import type { Ranking } from '@laurel/leaderboard';
import { Inject, Injectable } from '@nestjs/common';
import { RedisConnection } from '../../connection/redis-connection';
import type { LeaderboardBoards } from '../../ledgers/leaderboard-boards';
import { ARCHIVE } from '../../settlement/archive.provider';
import { HiddenPlaces } from '../../settlement/hidden-places';
import type { ArchivedEntry, SettledPeriod, StandingsArchive } from '../../settlement/standings-archive';
import { Leaderboards } from '../leaderboards';
import { nameAnswer, periodAnswer, settledAnswer } from '../rank.answers';
import type { ListedPeriod, RankHistoryEntry, RankPeriod, RankPeriods } from '../rank.responses';
import { ArchivedStandings } from '../standings/archived-standings';
import { readPlace, writePlace } from '../standings/place-cursor';
import { readArchive } from '../standings/read-archive';
import { StandingsFinder } from '../standings/standings-finder';
import { endOf, type TimeSpan } from './asked-days';
import { LivePeriods, type LivePeriod, type PeriodWindow } from './live-periods';

/** A page of what is ordered by the start of its period, the latest first. */
interface PageOptions {
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** The periods that touch a time. */
interface SpanOptions {
  readonly span: TimeSpan;
}

/** How many live, and how many settled, periods one page of a user's history looks through. */
const historyWindow = 100;

/** Periods may start before 1970, not before the calendar does. */
const firstMs = Date.parse('0000-01-01') - 86_400_000;

/** What there is of a leaderboard's periods, in Redis and in the archive. */
@Injectable()
export class PastPeriods {
  constructor(
    private readonly leaderboards: Leaderboards,
    private readonly live: LivePeriods,
    private readonly finder: StandingsFinder,
    private readonly connection: RedisConnection,
    @Inject(ARCHIVE) private readonly archive: StandingsArchive,
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
    // What is known twice is told as the archive has it.
    if (cursor === undefined) listed.set(current.key, { ...periodAnswer(current, 'open'), total: 0 });
    const isSettled = new Set(settled.map(({ period }) => period));
    const unsettled = live.filter(({ period }) => !isSettled.has(period.key));
    const answers = await Promise.all(unsettled.map((one) => this.liveAnswer(leaderboard, one)));
    unsettled.forEach(({ period, total }, i) => listed.set(period.key, { ...(answers[i] as RankPeriod), total }));
    for (const one of settled) listed.set(one.period, { ...settledAnswer(one), total: shownOf(one) });

    const all = [...listed.values()].filter((one) => touches(one, span)).sort((a, b) => startMs(b) - startMs(a));
    const periods = all.slice(0, limit);
    const last = all.length > limit ? periods.at(-1) : undefined;
    return { ...nameAnswer(leaderboard), periods, next: last ? writePlace(scope, startMs(last)) : null };
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
    const window = { limit: historyWindow, beforeMs };
    const [live, settled, archived] = await Promise.all([
      this.live.list(leaderboard, window),
      this.settled(label, window),
      this.archivedEntries(label, userId, { limit: limit + 1, beforeMs }),
    ]);
    // Before it, periods were not looked at: what the archive has of them waits for the page on which they are.
    const floorMs = Math.max(
      ...[live.map(({ period }) => period.start.getTime()), settled.map((one) => one.startMs)].map(lowestOfFull),
    );
    const isSettled = new Set(settled.map(({ period }) => period));
    const unsettled = live.filter(({ period }) => !isSettled.has(period.key) && period.start.getTime() >= floorMs);
    const found = await Promise.all(unsettled.map((one) => this.liveEntry(leaderboard, userId, one, ranking)));

    const all = [
      ...found.filter((entry) => entry !== null),
      ...(await this.shownEntries(archived, { floorMs, ranking })),
    ].sort((a, b) => startMs(b.period) - startMs(a.period));
    const entries = all.slice(0, limit);
    const last = entries.at(-1);
    const endMs = all.length > limit && last ? startMs(last.period) : floorMs;
    return { entries, next: endMs === -Infinity ? null : writePlace(scope, endMs) };
  }

  /** Where a user stood in the periods that touch a time, the current one included, the earliest first. */
  async during(leaderboard: LeaderboardBoards, userId: string, span: TimeSpan): Promise<readonly RankHistoryEntry[]> {
    const ranking = 'ordinal';
    const current = this.leaderboards.period(leaderboard, 'current');
    const found: RankHistoryEntry[] = [];
    if (current.start.getTime() < span.toMs && endOf(current) > span.fromMs) {
      const entry = await this.liveEntry(leaderboard, userId, { period: current, total: 0 }, ranking);
      if (entry) found.push(entry);
    }
    const scope = ['history', leaderboard.label, userId];
    let cursor = Number.isFinite(span.toMs) ? writePlace(scope, span.toMs) : undefined;
    for (;;) {
      const page = await this.history(leaderboard, userId, { limit: historyWindow, cursor, ranking });
      const within = page.entries.filter(({ period }) => touches(period, span));
      found.push(...within);
      if (within.length < page.entries.length || page.next === null) return found.reverse();
      if (readPlace(scope, page.next, firstMs) <= span.fromMs) return found.reverse();
      cursor = page.next;
    }
  }

  private async liveAnswer(
    leaderboard: LeaderboardBoards,
    { period }: Pick<LivePeriod, 'period'>,
  ): Promise<RankPeriod> {
    return periodAnswer(period, await this.connection.read(() => leaderboard.stateOf(period)));
  }

  private async liveEntry(
    leaderboard: LeaderboardBoards,
    userId: string,
    { period, total }: LivePeriod,
    ranking: Ranking,
  ): Promise<RankHistoryEntry | null> {
    const { standings, read } = await this.finder.find(leaderboard, period);
    const entry = await read(() => standings.entry(userId, { ranking }));
    if (!entry) return null;
    const { rank, score, reachedAt } = entry;
    return {
      period: await this.liveAnswer(leaderboard, { period }),
      total,
      rank,
      score,
      reachedAt: reachedAt?.toISOString() ?? null,
    };
  }

  private async settled(label: string, window: PeriodWindow): Promise<readonly SettledPeriod[]> {
    return readArchive(() => this.archive.periods(label, finite(window)));
  }

  /** Those of a user's archived entries that show, as others see them. */
  private async shownEntries(
    archived: readonly { readonly period: SettledPeriod; readonly entry: ArchivedEntry }[],
    { floorMs, ranking }: { readonly floorMs: number; readonly ranking: Ranking },
  ): Promise<RankHistoryEntry[]> {
    const shown = await Promise.all(
      archived
        .filter(({ period }) => period.startMs >= floorMs)
        .map(async ({ period, entry: archivedEntry }) => {
          const known = period.hidden === undefined ? HiddenPlaces.none : undefined;
          const standings = new ArchivedStandings(this.archive, period, known);
          const entry = await readArchive(() => standings.shown(archivedEntry, ranking));
          return entry && { period, entry };
        }),
    );
    return shown
      .filter((one) => one !== null)
      .map(({ period, entry: { rank, score, reachedAt } }) => ({
        period: settledAnswer(period),
        total: shownOf(period),
        rank,
        score,
        reachedAt: reachedAt?.toISOString() ?? null,
      }));
  }

  private async archivedEntries(label: string, userId: string, window: PeriodWindow) {
    return readArchive(() => this.archive.history(label, userId, finite(window)));
  }
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

/** The last of the starts where there may be earlier ones that were not looked at. */
function lowestOfFull(starts: readonly number[]): number {
  return starts.length < historyWindow ? -Infinity : Math.min(...starts);
}

/** The port's way to say "of all times". */
function finite({ limit, beforeMs }: PeriodWindow): { readonly limit: number; readonly beforeMs?: number } {
  return Number.isFinite(beforeMs) ? { limit, beforeMs } : { limit };
}
