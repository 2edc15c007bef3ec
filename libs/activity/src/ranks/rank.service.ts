import type { BoardReader, Entry, Period, Ranking } from '@laurel/leaderboard';
import { Inject, Injectable } from '@nestjs/common';
import { identifierFault, maxUserIdBytes } from '../activities/identifier';
import { RedisConnection } from '../connection/redis-connection';
import { faultsError } from '../errors';
import type { LeaderboardBoards } from '../ledgers/leaderboard-boards';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { Leaderboards } from './leaderboards';
import { Profiles } from './profiles';
import type {
  OptionalRankEntry,
  RankAhead,
  RankEntry,
  RankLeaderboard,
  RankLookup,
  RankPage,
  RankPeriod,
  RankStanding,
  RankUser,
} from './rank.responses';
import { StandingsCache } from './standings-cache';
import type { UserProfile } from './user-directory';

/** Which period, and how equal scores are ranked. */
export interface RankOptions {
  /** `current` (default), `previous` or a key such as `2026-11-20`. */
  readonly period?: string;
  /** Default `ordinal`. */
  readonly ranking?: Ranking;
  /** Which part of a partitioned leaderboard. */
  readonly partition?: string;
}

/** Which page of standings: by `offset` or by the `cursor` that the page before gave. */
export interface StandingsOptions extends RankOptions {
  /** 1 to 100. Default 10. */
  readonly limit?: number;
  /** Entries to pass over. Default 0. */
  readonly offset?: number;
  readonly cursor?: string;
}

/** How far around a user. */
export interface AroundOptions extends RankOptions {
  /** 0 to 50. Default 5. */
  readonly radius?: number;
}

/** One leaderboard's period, found and ready to be read. */
interface Board {
  readonly leaderboard: LeaderboardBoards;
  readonly partition: string | null;
  readonly period: Period;
  readonly reader: BoardReader;
  readonly ranking: Ranking;
}

/** Who leads, and where somebody stands. */
@Injectable()
export class RankService {
  private readonly firstPages: StandingsCache<RankPage>;

  constructor(
    private readonly leaderboards: Leaderboards,
    private readonly connection: RedisConnection,
    private readonly profiles: Profiles,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    this.firstPages = new StandingsCache(settings.clock, settings.cacheMs);
  }

  /** The leaderboards there are. Reads nothing. */
  list(): readonly RankLeaderboard[] {
    return this.leaderboards.all().map((leaderboard) => ({
      name: leaderboard.name,
      kind: leaderboard.settings.period,
      timezone: leaderboard.settings.timezone,
      ...(leaderboard.settings.partition !== null && { partition: leaderboard.settings.partition }),
      actions: leaderboard.settings.actions ?? this.settings.rules.map(({ action }) => action),
      current: this.periodAnswer(leaderboard, this.leaderboards.period(leaderboard, 'current')),
    }));
  }

  /**
   * A page of standings. First pages may be up to `cacheMs` old, one object shared by all who ask meanwhile.
   * @throws ActivityError `unknownLeaderboard`, `unknownPeriod`, `invalidQuery`, `unavailable`; LeaderboardError
   * `invalidCursor`.
   */
  async standings(leaderboard: string, query: StandingsOptions = {}): Promise<RankPage> {
    const board = this.board(leaderboard, query);
    const { limit = 10, offset = 0, cursor } = query;
    checkWhole('limit', limit, [1, 100]);
    checkWhole('offset', offset, [0, 1_000_000_000]);
    if (cursor !== undefined && offset > 0) {
      throw faultsError('invalidQuery', [{ path: 'cursor', message: 'cannot be used together with offset' }]);
    }
    if (cursor !== undefined || offset > 0) return this.readPage(board, { limit, offset, cursor });
    const key = `${leaderboard} ${board.period.key} ${limit} ${board.ranking} ${board.partition ?? ''}`;
    return this.firstPages.get(key, () => this.readPage(board, { limit, offset }));
  }

  /**
   * One user's entry, who stands a place ahead of him, and his percentile.
   * @param query the period alone, or the period and how equal scores are ranked.
   */
  async standing(leaderboard: string, userId: string, query: string | RankOptions = {}): Promise<RankStanding> {
    checkUserId(userId);
    const board = this.board(leaderboard, typeof query === 'string' ? { period: query } : query);
    const { reader, ranking } = board;
    const [total, entry, percentile, window] = await this.connection.read(() =>
      Promise.all([
        reader.size(),
        reader.entry(userId, { ranking }),
        reader.percentile(userId),
        reader.around(userId, { radius: 1, ranking: 'ordinal' }),
      ]),
    );
    const profiles = await this.profiles.find([userId]);
    return {
      ...this.answer(board, total),
      entry: entry ? entryAnswer(entry, profiles) : missingAnswer(userId, profiles),
      percentile: entry ? percentile : null,
      ahead: entry ? aheadOf(entry, window) : null,
    };
  }

  /** The user in the middle of his neighbours; no entries where he is not on the leaderboard. */
  async around(leaderboard: string, userId: string, query: AroundOptions = {}): Promise<RankPage> {
    checkUserId(userId);
    const { radius = 5 } = query;
    checkWhole('radius', radius, [0, 50]);
    const board = this.board(leaderboard, query);
    const { reader, ranking } = board;
    const [total, entries] = await this.connection.read(() =>
      Promise.all([reader.size(), reader.around(userId, { radius, ranking })]),
    );
    return this.page(board, { total, entries, next: null });
  }

  /** The entries of up to 200 users, in the order asked: a friends' board. */
  async lookup(leaderboard: string, userIds: readonly string[], query: RankOptions = {}): Promise<RankLookup> {
    checkWhole('userIds', userIds.length, [1, 200]);
    userIds.forEach((userId, index) => checkUserId(userId, `userIds.${index}`));
    const board = this.board(leaderboard, query);
    const { reader, ranking } = board;
    const [total, entries] = await this.connection.read(() =>
      Promise.all([reader.size(), reader.entries(userIds, { ranking })]),
    );
    const profiles = await this.profiles.find([...new Set(userIds)]);
    return {
      ...this.answer(board, total),
      entries: userIds.map((userId, index) => {
        const entry = entries[index];
        return entry ? entryAnswer(entry, profiles) : missingAnswer(userId, profiles);
      }),
    };
  }

  private board(name: string, query: RankOptions): Board {
    const { period: key = 'current', ranking = 'ordinal' } = query;
    const leaderboard = this.leaderboards.find(name);
    const period = this.leaderboards.period(leaderboard, key);
    const partition = this.leaderboards.partition(leaderboard, query.partition);
    return { leaderboard, period, partition, ranking, reader: leaderboard.reader(period, partition) };
  }

  private async readPage(
    board: Board,
    {
      limit,
      offset,
      cursor,
    }: { readonly limit: number; readonly offset: number; readonly cursor?: string | undefined },
  ): Promise<RankPage> {
    const { reader, ranking } = board;
    const [total, { entries, next }] = await this.connection.read(() =>
      Promise.all([
        reader.size(),
        offset > 0 ? reader.pageAt(offset, limit, { ranking }) : reader.after(cursor ?? null, limit, { ranking }),
      ]),
    );
    return this.page(board, { total, entries, next });
  }

  private async page(
    board: Board,
    {
      total,
      entries,
      next,
    }: { readonly total: number; readonly entries: readonly Entry[]; readonly next: string | null },
  ): Promise<RankPage> {
    const profiles = await this.profiles.find(entries.map(({ member }) => member));
    return { ...this.answer(board, total), entries: entries.map((entry) => entryAnswer(entry, profiles)), next };
  }

  private answer({ leaderboard, period, partition }: Board, total: number) {
    return {
      leaderboard: leaderboard.name,
      ...(partition !== null && { partition }),
      period: this.periodAnswer(leaderboard, period),
      total,
    };
  }

  private periodAnswer(leaderboard: LeaderboardBoards, period: Period): RankPeriod {
    return {
      key: period.key,
      start: period.start.toISOString(),
      end: period.end?.toISOString() ?? null,
      state: leaderboard.stateOf(period),
    };
  }
}

function entryAnswer(entry: Entry, profiles: ReadonlyMap<string, UserProfile>): RankEntry {
  const { rank, member, score, reachedAt } = entry;
  return {
    rank,
    userId: member,
    score,
    reachedAt: reachedAt?.toISOString() ?? null,
    user: userAnswer(profiles.get(member)),
  };
}

function missingAnswer(userId: string, profiles: ReadonlyMap<string, UserProfile>): OptionalRankEntry {
  return { rank: null, userId, score: 0, reachedAt: null, user: userAnswer(profiles.get(userId)) };
}

/** The two fields alone: an app's profiles may hold more than the public should see. */
function userAnswer(profile: UserProfile | undefined): RankUser | null {
  return profile ? { name: profile.name, avatarUrl: profile.avatarUrl } : null;
}

/** Who stands directly ahead, by ordinal rank: equals may well be ahead, with a gap of 0. */
function aheadOf(entry: Entry, window: readonly Entry[]): RankAhead | null {
  const place = window.findIndex(({ member }) => member === entry.member);
  const ahead = place > 0 ? window[place - 1] : undefined;
  return ahead ? { userId: ahead.member, score: ahead.score, gap: ahead.score - entry.score } : null;
}

function checkUserId(userId: string, path = 'userId'): void {
  const message = identifierFault(userId, maxUserIdBytes);
  if (message !== null) throw faultsError('invalidQuery', [{ path, message }]);
}

function checkWhole(path: string, value: number, [min, max]: readonly [number, number]): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw faultsError('invalidQuery', [{ path, message: `must be a whole number from ${min} to ${max}` }]);
}
