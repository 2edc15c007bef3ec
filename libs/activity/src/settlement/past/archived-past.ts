import type { Period } from '@laurel/leaderboard';
import { rankings } from '@laurel/leaderboard/internals';
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
import { Leaderboards } from '../../core/ranks/leaderboards';
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

/** Of so many periods at once a user is told their entries. */
const toldAtOnce = 100;

/** How long a board is taken to be there, or gone, and a period to be settled, or not. */
const [livesForMs, settledForMs] = [60_000, 1_000];

/** The most hidden places that are cached. */
const maxHidden = 200_000;

/** Former ranks are cached for this many times `cacheMs`: a period that has ended changes seldom. */
const ranksForTimes = 10;

/**
 * Settlement's part of the core: settled standings and their titles, and the ranks of the period before. Without
 * an archive of the app's, settled standings are boards in Redis like others, which the core reads.
 */
@Injectable()
export class ArchivedPast implements PastStandings {
  readonly settles: boolean;
  private readonly logger = new Logger('PastStandings');
  private readonly live: SharedReads<boolean>;
  private readonly records: SharedReads<SettledPeriod | null>;
  private readonly ranks: TimedCache<{ readonly rank: number | null }>;
  private readonly hidden: SharedReads<HiddenPlaces>;

  constructor(
    private readonly extensions: Extensions,
    private readonly leaderboards: Leaderboards,
    private readonly connection: RedisConnection,
    private readonly ledgers: Ledgers,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
    private readonly apiKey: ApiKey,
    @Inject(SETTLEMENT_SETTINGS) private readonly settlement: SettlementSettings,
    @Optional() @Inject(STANDINGS_ARCHIVE) private readonly archive: StandingsArchive | null = null,
  ) {
    this.settles = settlement.settles;
    const { clock, cacheMs } = settings;
    this.live = new SharedReads({ clock, ttlMs: livesForMs, maxWeight: 1_000 });
    this.records = new SharedReads({ clock, ttlMs: settledForMs, maxWeight: 1_000 });
    this.ranks = new TimedCache({ clock, ttlMs: ranksForTimes * cacheMs, maxWeight: 50_000 });
    this.hidden = new SharedReads({ clock, ttlMs: cacheMs, maxWeight: maxHidden });
  }

  /**
   * The archived standings of a closed period; null where its board lives in Redis, or it is not archived. One round
   * trip a minute and one read of the archive a second at most.
   */
  async find(leaderboard: LeaderboardBoards, period: Period): Promise<SettledStandings | null> {
    const { archive } = this;
    if (!archive || (await this.isLive(leaderboard, period))) return null;
    const settled = await this.recordOf(archive, leaderboard, period);
    if (!settled) return null;
    const standings = this.standingsOf(archive, settled);
    return {
      standings,
      hiddenEntry: (userId) => standings.hiddenEntry(userId),
      period: { ...settled, key: settled.period },
      read: (work) => readArchive(this.settings, work),
    };
  }

  /**
   * A settled period's standings. Its hidden places are read once for all calls within `cacheMs`.
   * @param isWhole whether none is hidden, as the period has just been read.
   */
  standingsOf(archive: StandingsArchive, settled: SettledPeriod, isWhole = false): ArchivedStandings {
    const { leaderboard, period, hidden = 0 } = settled;
    if (isWhole) return new ArchivedStandings(archive, settled, () => Promise.resolve(HiddenPlaces.none));
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
        const { standings, read } = await this.leaderboards.standings(leaderboard, before);
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
    if (!archive.titles || !(await this.recordOf(archive, leaderboard, period))?.titled) return null;
    const read = async () => (await archive.titles?.(leaderboard.label, period.key, userIds)) ?? [];
    const titles = await readArchive(this.settings, read);
    return new Map(userIds.flatMap((userId, i) => (titles[i] ? [[userId, titles[i]]] : [])));
  }

  async hide(userId: string, isHidden: boolean): Promise<void> {
    await this.archive?.hide?.(userId, isHidden);
  }

  /** @throws UnauthorizedException or ForbiddenException where the app does not show it to who asks. */
  async scopeOf(what: 'points' | 'history', userId: string, request: HttpRequest): Promise<TaggedScope> {
    if (this.apiKey.isSelfOrKey(request, userId)) return 'private';
    const visibility = this.settlement.visibility[what];
    if (visibility === 'all') return 'public';
    const viewer = this.settings.currentUser(request);
    if (await isSeen(visibility, { userId, viewer }, this.settings.commandTimeoutMs)) return 'private';
    if (viewer === null && visibility !== 'nobody') throw new UnauthorizedException('Sign in to see this.');
    throw new ForbiddenException('This is not shown to others.');
  }

  /** How many entries of the archive were erased, and how many titles beside settled boards. */
  async erase(userId: string, where?: { readonly leaderboard: string; readonly period: string }): Promise<number> {
    let erased = (await this.archive?.erase?.(userId, where)) ?? 0;
    for (const ledger of this.ledgers.all) {
      erased += await new SettledBoards(this.connection.client, ledger).erase(userId, where);
    }
    return erased;
  }

  /** Every settled entry of a user, hidden ones too. */
  told(userId: string): AsyncGenerator<object, void> {
    return this.archive ? this.toldOfArchive(this.archive, userId) : this.toldOfBoards(userId);
  }

  private async *toldOfArchive(archive: StandingsArchive, userId: string): AsyncGenerator<object, void> {
    const { settings } = this;
    const read = <T>(work: () => Promise<T>) => readArchive(settings, work);
    const own = settings.leaderboards.flatMap(({ name, partition }) => (partition === null ? [name] : []));
    for (const leaderboard of await read(async () => (await archive.leaderboards?.()) ?? own)) {
      for (let before = {}; ;) {
        const found = await read(() => archive.history(leaderboard, userId, { limit: toldAtOnce, ...before }));
        for (const { period: settled, entry } of found) {
          const { period } = settled;
          const titles = await read(async () => archive.titles?.(leaderboard, period, [userId]));
          const { place, competition, dense, score, reachedAtMs } = entry;
          const reachedAt = reachedAtMs === null ? null : new Date(reachedAtMs).toISOString();
          const points = pointsOf(score, settings.decimals);
          yield { leaderboard, period, points, reachedAt, place, competition, dense, title: titles?.[0] ?? null };
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
            const board = ledger.board(name, period, partition);
            const ranked = rankings.map((ranking) => board.entry(userId, { ranking }));
            const [ordinal, competition, dense] = await read(() => Promise.all(ranked));
            const own = ordinal ?? (await read(() => ledger.aside(name, period, partition).entry(userId)));
            if (!own) continue;
            const titles = await read(() => boards.titles(label, period.key, [userId]));
            yield {
              ...{ leaderboard: label, period: period.key, points: pointsOf(own.score, this.settings.decimals) },
              ...{ reachedAt: own.reachedAt?.toISOString() ?? null, place: ordinal?.rank ?? null },
              ...{ competition: competition?.rank ?? null, dense: dense?.rank ?? null, title: titles[0] ?? null },
            };
          }
        }
      }
    }
  }

  /** Whether the period's board is in Redis. An empty one may have expired earlier than today's options say. */
  private async isLive(leaderboard: LeaderboardBoards, period: Period): Promise<boolean> {
    const { clock, clockSkewMs } = this.settings;
    // Redis' clock may be ahead: shortly before it expires, a board is no longer relied on.
    if (clock.now() >= leaderboard.timesOf(period).expireAtMs - clockSkewMs) return false;
    const size = () => leaderboard.reader(period).size();
    return this.live.read(`${period.key} ${leaderboard.label}`, async () => (await this.connection.read(size)) > 0);
  }

  private recordOf(
    archive: Pick<StandingsArchive, 'find'>,
    { label }: LeaderboardBoards,
    { key }: Period,
  ): Promise<SettledPeriod | null> {
    return this.records.read(`${key} ${label}`, () => readArchive(this.settings, () => archive.find(label, key)));
  }
}
