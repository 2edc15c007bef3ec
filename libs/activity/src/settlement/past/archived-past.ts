import type { Period, Ranking } from '@laurel/leaderboard';
import { ForbiddenException, Inject, Injectable, Logger, Optional, UnauthorizedException } from '@nestjs/common';
import { SharedReads, TimedCache } from '../../core/cache/timed-cache';
import { ActivityError } from '../../core/errors/errors';
import { Extensions } from '../../core/extensions/extensions';
import type { PastStandings, PeriodQuery, SettledStandings, Title } from '../../core/extensions/standings';
import { ApiKey } from '../../core/http/api-key';
import { isSeen } from '../../core/http/visible-boards';
import type { HttpRequest } from '../../core/http/request';
import type { TaggedScope } from '../../core/http/tagged-answers';
import { Ledgers } from '../../core/ledgers/ledgers';
import type { LeaderboardBoards } from '../../core/ledgers/leaderboard-boards';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../../core/options/settings';
import { Leaderboards, StandingsFinder } from '../../core/ranks/leaderboards';
import { pointsOf } from '../../core/points/decimals';
import { RedisConnection } from '../../core/redis/redis-connection';
import { ArchivedStandings } from '../archive/archived-standings';
import { HiddenPlaces } from '../archive/hidden-places';
import {
  readArchive,
  type SettledPeriod,
  STANDINGS_ARCHIVE,
  type StandingsArchive,
} from '../archive/standings-archive';
import { SettledBoards } from '../settled-boards';
import { SETTLEMENT_SETTINGS, type SettlementSettings } from '../settlement.options';

/** Where a closed period was found, and until when that is sure; `settled` null: in Redis, or nowhere. */
interface KnownPlace {
  readonly settled: SettledPeriod | null;
  readonly untilMs: number;
}

/** Of so many periods at once a user is told their entries. */
const toldAtOnce = 100;

/** How long a settled period is taken to be there, which somebody may prune. */
const settledForMs = 60_000;

/** The most places that do not show which are cached. */
const maxHidden = 200_000;

/** How long a closed period of which nothing was found is taken for an empty one. */
const nothingForMs = 1_000;

/** Former ranks are cached for this many times `cacheMs`: a period that has ended changes seldom. */
const ranksForTimes = 10;

/**
 * Settlement's part of the core: settled standings and their titles, and the ranks of the period before. Without
 * an archive of the app's, settled standings are boards in Redis like others, which the core reads.
 */
@Injectable()
export class ArchivedPast implements PastStandings {
  readonly settles: boolean;
  private readonly visibility: SettlementSettings['visibility'];
  private readonly logger = new Logger('PastStandings');
  private readonly places: TimedCache<KnownPlace>;
  /** The archive's standings, whether or not a board lives. */
  private readonly settled: TimedCache<KnownPlace>;
  private readonly ranks: TimedCache<{ readonly rank: number | null }>;
  private readonly hidden: SharedReads<HiddenPlaces>;

  constructor(
    private readonly extensions: Extensions,
    private readonly leaderboards: Leaderboards,
    private readonly finder: StandingsFinder,
    private readonly connection: RedisConnection,
    private readonly ledgers: Ledgers,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
    private readonly apiKey: ApiKey,
    @Inject(SETTLEMENT_SETTINGS) { settles, visibility }: SettlementSettings,
    @Optional() @Inject(STANDINGS_ARCHIVE) private readonly archive: StandingsArchive | null = null,
  ) {
    this.settles = settles;
    this.visibility = visibility;
    const { clock, cacheMs } = settings;
    this.places = new TimedCache({ clock, ttlMs: Infinity, maxWeight: 1_000 });
    this.settled = new TimedCache({ clock, ttlMs: Infinity, maxWeight: 1_000 });
    this.ranks = new TimedCache({ clock, ttlMs: ranksForTimes * cacheMs, maxWeight: 50_000 });
    this.hidden = new SharedReads({ clock, ttlMs: cacheMs, maxWeight: maxHidden });
  }

  /**
   * The archived standings of a closed period; null where its board lives in Redis, or it is not archived. One round
   * trip and one read of the archive where the period is asked for the first time.
   */
  async find(leaderboard: LeaderboardBoards, period: Period): Promise<SettledStandings | null> {
    const { archive } = this;
    if (!archive) return null;
    const id = `${period.key} ${leaderboard.label}`;
    let known = this.places.get(id);
    if (!known || this.settings.clock.now() >= known.untilMs) {
      known = await this.look(archive, leaderboard, period);
      this.places.set(id, known);
    }
    const { settled } = known;
    if (!settled) return null;
    const { period: key, startMs, endMs } = settled;
    const standings = this.standingsOf(archive, settled);
    const hiddenEntry = (userId: string) => standings.hiddenEntry(userId);
    return {
      standings,
      hiddenEntry,
      period: { key, startMs, endMs },
      read: (work) => readArchive(this.settings, work),
    };
  }

  /** A settled period's standings. The places that do not show are read once for all who ask within `cacheMs`. */
  standingsOf(archive: StandingsArchive, settled: SettledPeriod): ArchivedStandings {
    const { leaderboard, period, hidden = 0 } = settled;
    const key = JSON.stringify([this.extensions.exclusionChanges, period, leaderboard]);
    const read = () => HiddenPlaces.of(archive, settled);
    return new ArchivedStandings(archive, settled, () => this.hidden.read(key, read, 1 + hidden));
  }

  /**
   * The users' ranks in the period before, at most ten times `cacheMs` old. One round trip for those that are not
   * cached. Never fails: while the archive is away, the users have no former rank.
   */
  async previousRanks(query: PeriodQuery, userIds: readonly string[]): Promise<readonly (number | null)[]> {
    const { leaderboard, ranking } = query;
    const before = this.leaderboards.before(leaderboard, query.period);
    if (!before || userIds.length === 0) return userIds.map(() => null);
    const of = JSON.stringify([this.extensions.exclusionChanges, before.key, ranking, leaderboard.label]);
    const found = new Map(userIds.map((userId) => [userId, this.ranks.get(of + userId)]));
    const missing = [...found.keys()].filter((userId) => !found.get(userId));
    try {
      if (missing.length > 0) {
        const { standings, read } = await this.finder.find(leaderboard, before);
        const ranks = await read(() => standings.ranks(missing, { ranking }));
        missing.forEach((userId, i) => {
          const rank = { rank: ranks[i] ?? null };
          found.set(userId, rank);
          this.ranks.set(of + userId, rank);
        });
      }
    } catch (error) {
      if (!(error instanceof ActivityError && error.code === 'unavailable')) throw error;
      this.logger.warn(`Ranks of ${leaderboard.name} are shown without changes of rank: ${error.message}`);
    }
    return userIds.map((userId) => found.get(userId)?.rank ?? null);
  }

  /** One read, and one where the period is asked for the first time; none before it can be settled. */
  async titles(
    { leaderboard, period }: PeriodQuery,
    userIds: readonly string[],
  ): Promise<ReadonlyMap<string, Title> | null> {
    const { clock } = this.settings;
    if (leaderboard.settings.rolling || clock.now() < leaderboard.timesOf(period).closesAtMs) return null;
    const archive = this.archive ?? new SettledBoards(this.connection.client, leaderboard.ledger);
    if (!archive.titles) return null;
    const id = `${period.key} ${leaderboard.label}`;
    let known = this.settled.get(id);
    if (!known || clock.now() >= known.untilMs) {
      const settled = await readArchive(this.settings, () => archive.find(leaderboard.label, period.key));
      known = { settled, untilMs: clock.now() + (settled ? settledForMs : nothingForMs) };
      this.settled.set(id, known);
    }
    if (!known.settled?.titled) return null;
    const titles = await readArchive(
      this.settings,
      () => archive.titles?.(leaderboard.label, period.key, userIds) ?? Promise.resolve([]),
    );
    return new Map(userIds.flatMap((userId, i) => (titles[i] ? [[userId, titles[i]]] : [])));
  }

  async hide(userId: string, isHidden: boolean): Promise<void> {
    await this.archive?.hide?.(userId, isHidden);
  }

  async eraseFrom(where: { readonly leaderboard: string; readonly period: string }, userId: string): Promise<boolean> {
    return ((await this.archive?.erase?.(userId, where)) ?? 0) > 0;
  }

  /** @throws UnauthorizedException or ForbiddenException where the app does not show it to who asks. */
  async scopeOf(what: 'points' | 'history', userId: string, request: HttpRequest): Promise<TaggedScope> {
    if (this.apiKey.isSelfOrKey(request, userId)) return 'private';
    const visibility = this.visibility[what];
    if (visibility === 'all') return 'public';
    const viewer = this.settings.currentUser(request);
    if (await isSeen(visibility, { userId, viewer }, this.settings.commandTimeoutMs)) return 'private';
    if (viewer === null && visibility !== 'nobody') throw new UnauthorizedException('Sign in to see this.');
    throw new ForbiddenException('This is not shown to others.');
  }

  /** How many entries of the archive were erased, and how many titles beside settled boards. */
  async erase(userId: string): Promise<number> {
    let erased = (await this.archive?.erase?.(userId)) ?? 0;
    for (const ledger of this.ledgers.all) {
      erased += await new SettledBoards(this.connection.client, ledger).erase(userId);
    }
    return erased;
  }

  /** Every archived entry of a user, those that do not show too. */
  async *told(userId: string): AsyncGenerator<object, void> {
    const { archive, settings } = this;
    if (!archive) {
      yield* this.toldOfBoards(userId);
      return;
    }
    const readIn = <T>(work: () => Promise<T>) => readArchive(settings, work);
    const own = settings.leaderboards.flatMap(({ name, partition }) => (partition === null ? [name] : []));
    for (const leaderboard of await readIn(() => archive.leaderboards?.() ?? Promise.resolve(own))) {
      for (let before = {}; ;) {
        const found = await readIn(() => archive.history(leaderboard, userId, { limit: toldAtOnce, ...before }));
        for (const { period: settled, entry } of found) {
          const { period } = settled;
          const titles = await readIn(() => archive.titles?.(leaderboard, period, [userId]) ?? Promise.resolve([]));
          const { place, competition, dense, score, reachedAtMs } = entry;
          const reachedAt = reachedAtMs === null ? null : new Date(reachedAtMs).toISOString();
          const points = pointsOf(score, settings.decimals);
          yield { leaderboard, period, points, reachedAt, place, competition, dense, title: titles[0] ?? null };
        }
        if (found.length < toldAtOnce) break;
        before = { beforeMs: found.at(-1)?.period.startMs };
      }
    }
  }

  /** The same of settled boards. Some round trips for each. */
  private async *toldOfBoards(userId: string): AsyncGenerator<object, void> {
    const read = <T>(work: () => Promise<T>) => this.connection.read(work);
    for (const ledger of this.ledgers.all) {
      const { periods, settings } = ledger;
      const boards = new SettledBoards(this.connection.client, ledger);
      for (const { name } of settings.boards.filter(({ tallyOf }) => tallyOf == null)) {
        for (const period of await read(() => periods.written(name, { limit: Infinity }))) {
          for await (const { label, partition } of periods.sets(name, period)) {
            if (!(await read(() => boards.find(label, period.key)))) continue;
            const shown = ledger.board(name, period, partition);
            const entry = await read(() => shown.entry(userId));
            const own = entry ?? (await read(() => ledger.aside(name, period, partition).entry(userId)));
            if (!own) continue;
            const rankOf = (ranking: Ranking) => (entry ? read(() => shown.rank(userId, { ranking })) : null);
            const places = { competition: await rankOf('competition'), dense: await rankOf('dense') };
            const titles = await read(() => boards.titles(label, period.key, [userId]));
            const points = pointsOf(own.score, this.settings.decimals);
            const [reachedAt, place] = [own.reachedAt?.toISOString() ?? null, entry?.rank ?? null];
            const of = { leaderboard: label, period: period.key };
            yield { ...of, points, reachedAt, place, ...places, title: titles[0] ?? null };
          }
        }
      }
    }
  }

  /** An empty board may have expired earlier than today's options say: then the archive has its period. */
  private async look(archive: StandingsArchive, leaderboard: LeaderboardBoards, period: Period): Promise<KnownPlace> {
    const { clock, clockSkewMs } = this.settings;
    const nowMs = clock.now();
    // Redis' clock may be ahead: shortly before it expires, a board is no longer relied on.
    const livesUntilMs = leaderboard.timesOf(period).expireAtMs - clockSkewMs;
    if (nowMs < livesUntilMs) {
      const size = await this.connection.read(() => leaderboard.reader(period).size());
      if (size > 0) return { settled: null, untilMs: livesUntilMs };
    }
    const settled = await readArchive(this.settings, () => archive.find(leaderboard.label, period.key));
    return { settled, untilMs: nowMs + (settled ? settledForMs : nothingForMs) };
  }
}
