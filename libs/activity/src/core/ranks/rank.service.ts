import type { Ranking } from '@laurel/leaderboard';
import { aheadOfPercentile, BatchedReads } from '@laurel/leaderboard/internals';
import { Injectable } from '@nestjs/common';
import { checkUserId, checkWhole, scoreBounds } from '../activity/checks';
import { ActivityError, invalidQuery } from '../errors/errors';
import { Extensions } from '../extensions/extensions';
import { RedisConnection } from '../redis/redis-connection';
import { RulesInForce } from '../rules/rules-in-force';
import { isTied, livePartitions, nextAhead, pageBetween, pageFromWorst, rankedAmong } from './standings-reads';
import {
  allowed,
  type AmongQuery,
  type AroundQuery,
  isFromFirst,
  type PartitionsQuery,
  type RankQuery,
  type StandingsQuery,
} from './rank.dto';
import { FirstPages } from './first-pages';
import { Ledgers } from '../ledgers/ledgers';
import { type FoundStandings, Leaderboards } from './leaderboards';
import { aheadAnswer, PageAssembler, periodAnswer, topTenOf } from './page-assembler';
import type { PeriodQuery, Standings } from '../extensions/standings';
import type {
  OptionalRankEntry,
  RankLeaderboard,
  RankLookup,
  RankPage,
  RankPartitions,
  RankStanding,
  UserStandings,
} from './rank.responses';

/** A user's standing: of which period, and for whom. */
export interface StandingQuery extends RankQuery {
  /**
   * Whether the answer shows the score of an excluded user: for the user themselves and for operators. For everyone
   * else an excluded user is not on the leaderboard. Default false.
   */
  readonly tellsExcluded?: boolean;
}

/** A query for a page, and whose line comes with it as {@link RankPage.me}: the user who asks; null: nobody does. */
export type Own<Query> = Omit<Query, 'me'> & { readonly me?: string | null };

/** Reads the leaderboards: who leads, and where a user stands. */
@Injectable()
export class RankService {
  /** Up to 64 who ask of a board in one turn of the event loop are answered together: one call, one query for names. */
  private readonly asking = new WeakMap<Standings, Partial<Record<Ranking, BatchedReads<string, RankStanding>>>>();

  constructor(
    private readonly leaderboards: Leaderboards,
    private readonly ledgers: Ledgers,
    private readonly assembler: PageAssembler,
    private readonly firstPages: FirstPages,
    private readonly connection: RedisConnection,
    private readonly extensions: Extensions,
    private readonly rules: RulesInForce,
  ) {}

  /**
   * The leaderboards. No round trip, but for one for each closed period, once, to find whether it is frozen.
   * @throws ActivityError `unavailable`
   */
  async list(): Promise<readonly RankLeaderboard[]> {
    return Promise.all(
      this.ledgers.leaderboards().map(async (leaderboard) => {
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
   * A page of standings. A first page may be up to `cacheMs` old, and all callers meanwhile get the same object; with a
   * user's own line it costs one more round trip, and is an object of its own.
   * @throws ActivityError `unknownLeaderboard`, `unknownPeriod`, `invalidQuery`, `unavailable`; LeaderboardError
   * `invalidCursor`.
   */
  async standings(leaderboard: string, query: Own<StandingsQuery> = {}): Promise<RankPage> {
    return this.withOwn(leaderboard, query, this.page(leaderboard, query));
  }

  private async page(leaderboard: string, query: Own<StandingsQuery>): Promise<RankPage> {
    const titles = this.leaderboards.wantsTitles(query);
    const asked = this.periodQuery(leaderboard, query);
    const { limit = 10, offset = 0, percentile, cursor, order } = query;
    checkWhole('limit', limit, allowed.limit);
    checkWhole('offset', offset, allowed.offset);
    const bounds = scoreBounds(query, asked.leaderboard.settings.decimals);
    if (cursor !== undefined && (offset > 0 || order === 'worst')) {
      throw invalidQuery('cursor', `cannot be used together with ${order === 'worst' ? 'order=worst' : 'offset'}`);
    }
    if (percentile !== undefined && !isFromFirst(query))
      throw invalidQuery('percentile', 'cannot be used together with offset, cursor, order, minScore or maxScore');
    const { ranking } = asked;
    if (isFromFirst(query) && percentile === undefined && !asked.leaderboard.isSpan) {
      const start = await this.firstPages.start(asked.leaderboard, asked.period, limit);
      return this.firstPages.page(start, { limit, ranking, titles });
    }
    const found = await this.leaderboards.standings(asked.leaderboard, asked.period);
    const { standings } = found;
    const passed =
      percentile === undefined ? offset : aheadOfPercentile(percentile, await found.read(() => standings.size()));
    const pageOf = order === 'worst' ? pageFromWorst : pageBetween;
    const read = await found.read(() => pageOf(standings, bounds, { limit, offset: passed, cursor, ranking }));
    return this.assembler.page(asked, found, read, titles);
  }

  /**
   * The first page that {@link standings} would return to this query, if it is cached and shown to all: no round trip,
   * no promise. Else undefined.
   */
  kept(leaderboard: string, query: StandingsQuery): RankPage | undefined {
    const { limit = 10, titles = false, me, from, to, percentile } = query;
    if (me || (from ?? to ?? percentile) !== undefined || !isFromFirst(query)) return undefined;
    const { leaderboard: found, period, ranking } = this.periodQuery(leaderboard, query);
    if (found.settings.visibility !== 'all') return undefined;
    return this.firstPages.kept(found, period, { limit, ranking, titles });
  }

  /**
   * One user's entry with their title and percentile, the entry with the next better rank, and the points of the tenth.
   * One round trip; by `competition` one more for the entry ahead of equals, by `dense` two.
   * @param query the period alone, or the period and how equal scores are ranked.
   */
  async standing(leaderboard: string, userId: string, query: string | StandingQuery = {}): Promise<RankStanding> {
    checkUserId(userId);
    const options: StandingQuery = typeof query === 'string' ? { period: query } : query;
    const asked = this.periodQuery(leaderboard, options);
    const found = await this.leaderboards.standings(asked.leaderboard, asked.period);
    const asking = this.asking.get(found.standings) ?? {};
    this.asking.set(found.standings, asking);
    const read = (userIds: readonly string[]) => this.readStandings(asked, found, userIds);
    const standing = await (asking[asked.ranking] ??= new BatchedReads(read, 64)).ask(userId);
    const isAsked = standing.entry.rank === null && options.tellsExcluded;
    const why = isAsked ? await this.excluded(found, userId, asked) : null;
    return why ? { ...standing, ...why, entry: { ...standing.entry, ...why.entry }, top10: null } : standing;
  }

  /**
   * {@link standing} on the current period of each leaderboard that has no partitions; contests whose boards have
   * expired are left out. As many round trips as for one, and one command for each leaderboard.
   * @param query `only`: leaderboards that the answer may name.
   */
  async everywhere(
    userId: string,
    { only, ...query }: Pick<StandingQuery, 'ranking' | 'tellsExcluded'> & { only?: ReadonlySet<string> } = {},
  ): Promise<UserStandings> {
    const whole = this.ledgers.leaderboards().filter(({ settings }) => settings.partition === null);
    const asked = whole.filter(({ name }) => only?.has(name) !== false);
    const standings = asked.map(({ name }) => this.standing(name, userId, query).catch(noneIfGone));
    return { userId, standings: (await Promise.all(standings)).flat() };
  }

  /** The user between their neighbours; no entries where the user is not on the leaderboard. */
  async around(leaderboard: string, userId: string, query: Own<AroundQuery> = {}): Promise<RankPage> {
    return this.withOwn(leaderboard, query, this.pageAround(leaderboard, userId, query));
  }

  private async pageAround(leaderboard: string, userId: string, query: Own<AroundQuery>): Promise<RankPage> {
    checkUserId(userId);
    const { radius = 5 } = query;
    const titles = this.leaderboards.wantsTitles(query);
    checkWhole('radius', radius, allowed.radius);
    const asked = this.periodQuery(leaderboard, query);
    const found = await this.leaderboards.standings(asked.leaderboard, asked.period);
    const { size: total, entries } = await found.read(() =>
      found.standings.aroundWithSize(userId, { radius, ranking: asked.ranking }),
    );
    return this.assembler.page(asked, found, { total, entries, next: null }, titles);
  }

  /**
   * The entries of up to 200 users: in the order asked, or with `among` in rank order, with ranks among one another.
   * One round trip, and one read of the archive if the period is settled.
   */
  async lookup(leaderboard: string, userIds: readonly string[], query: AmongQuery = {}): Promise<RankLookup> {
    checkWhole('userIds', userIds.length, allowed.userIds);
    userIds.forEach((userId, index) => checkUserId(userId, `userIds.${index}`));
    const titles = this.leaderboards.wantsTitles(query);
    const asked = this.periodQuery(leaderboard, query);
    const found = await this.leaderboards.standings(asked.leaderboard, asked.period);
    const { standings } = found;
    const reading = found.read(() =>
      Promise.all([standings.size(), standings.entries(userIds, { ranking: asked.ranking })]),
    );
    const [[total], lines] = await Promise.all([
      reading,
      this.assembler.lines(asked, { userIds, entries: reading.then(([, entries]) => entries), titles }),
    ]);
    const entries = query.among ? rankedAmong(lines, asked.ranking) : lines;
    return { ...(await this.assembler.head(asked, found, total)), entries };
  }

  /**
   * The partitions of a leaderboard that have entries, by name, as long as their boards live in Redis. A page may have
   * fewer partitions than `limit` although others follow. One round trip for the names, and one for the sizes.
   * @throws ActivityError as {@link standings}.
   */
  async partitions(leaderboard: string, query: PartitionsQuery = {}): Promise<RankPartitions> {
    const { limit = 20, cursor, period: key = 'current' } = query;
    checkWhole('limit', limit, allowed.limit);
    const found = this.ledgers.boards(leaderboard);
    const { partition } = found.settings;
    if (partition === null) {
      throw invalidQuery('leaderboard', `must be a leaderboard with partitions: "${leaderboard}" has none`);
    }
    const period = this.leaderboards.period(found, key);
    const [page, state] = await this.connection.read(() =>
      Promise.all([livePartitions(found, period, { limit, cursor }), found.stateOf(period)]),
    );
    return { leaderboard: found.name, key: partition, period: periodAnswer(period, state), ...page };
  }

  /** A page with the line of the user who asks, as their own standing shows it, where that is wanted. */
  private async withOwn(
    leaderboard: string,
    { me, ...query }: Own<RankQuery>,
    reading: Promise<RankPage>,
  ): Promise<RankPage> {
    if (me === undefined) return reading;
    const standing = me === null ? null : this.standing(leaderboard, me, { ...query, tellsExcluded: true });
    const [page, own] = await Promise.all([reading, standing]);
    return { ...page, me: own && own.entry };
  }

  private async readStandings(
    asked: PeriodQuery,
    found: FoundStandings,
    userIds: readonly string[],
  ): Promise<RankStanding[]> {
    const { leaderboard, ranking } = asked;
    const reading = found.read(async () => {
      const read = await found.standings.standings(userIds, { radius: 1, at: 10, ranking });
      return [read, await Promise.all(read.map((one) => nextAhead(found.standings, one, ranking)))] as const;
    });
    const entries = reading.then(([read]) => read.map(({ entry }) => entry));
    const lines = await this.assembler.lines(asked, { userIds, entries, titles: !leaderboard.isSpan });
    const [head, [read, ahead]] = await Promise.all([this.assembler.head(asked, found, 0), reading]);
    return read.map((one, i) => ({
      ...{ ...head, total: one.size, entry: lines[i] as OptionalRankEntry, tied: isTied(one, ranking) },
      percentile: one.entry && one.percentile,
      ahead: one.entry && aheadAnswer(one.entry, ahead[i] ?? null, leaderboard),
      top10: topTenOf(userIds[i] as string, one, asked),
    }));
  }

  /** An excluded user's own entry, as far as they may see it; null if the user is not excluded. */
  private async excluded(
    { hiddenEntry, read }: FoundStandings,
    userId: string,
    { leaderboard }: PeriodQuery,
  ): Promise<(Pick<RankStanding, 'optedOut'> & { excluded: true; entry?: Partial<OptionalRankEntry> }) | null> {
    const why = (await this.extensions.moderation?.exclusionOf(userId)) ?? null;
    const entry = why && (await read(() => hiddenEntry(userId)));
    if (!why || !entry) return why;
    const reachedAt = entry.reachedAt?.toISOString() ?? null;
    return { ...why, entry: { score: leaderboard.pointsOf(entry.score), reachedAt } };
  }

  private periodQuery(name: string, { period, from, to, ranking = 'ordinal', partition }: RankQuery): PeriodQuery {
    const leaderboard = this.leaderboards.find(name, partition);
    if (from !== undefined || to !== undefined) {
      if (period === undefined) return { ...this.leaderboards.span(leaderboard, from, to), ranking };
      throw invalidQuery('period', 'cannot be used together with from and to');
    }
    return { leaderboard, period: this.leaderboards.period(leaderboard, period ?? 'current'), ranking };
  }
}

function noneIfGone(error: unknown): RankStanding[] {
  if (error instanceof ActivityError && error.code === 'unknownPeriod') return [];
  throw error;
}
