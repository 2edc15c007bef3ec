import type { Period } from '@laurel/leaderboard';
import { Inject, Injectable } from '@nestjs/common';
import { RedisConnection } from '../../redis/redis-connection';
import type { LeaderboardBoards } from '../../ledgers/leaderboard-boards';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../../options/settings';
import { ARCHIVE } from '../../settlement/archive/archive.provider';
import type { SettledPeriod, StandingsArchive } from '../../settlement/archive/standings-archive';
import { readArchive } from '../../settlement/archive/read-archive';
import { ArchivedStandings } from '../../settlement/archive/archived-standings';
import type { Standings } from '../../extensions/standings';

/** Standings, and how they are read. */
export interface FoundStandings {
  readonly standings: Standings;
  /** Of archived standings: what is known of the period. */
  readonly settled: SettledPeriod | null;
  /**
   * Runs reads of the standings.
   * @throws ActivityError `unavailable` where the store does not answer.
   */
  readonly read: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Where a closed period was found, until when that is sure. Without `settled`: in Redis. */
interface Known {
  readonly settled: SettledPeriod | null;
  readonly untilMs: number;
}

/** The most periods whose place is remembered. */
const maxKnown = 1_000;

/** How long a closed period of which nothing was found is taken for one that nobody is on. */
const nothingForMs = 1_000;

/**
 * Finds a period's standings: in Redis while its board lives there, in the archive after. Where a closed period lies is
 * asked once and remembered; for all others nothing is asked at all.
 */
@Injectable()
export class StandingsFinder {
  private readonly known = new Map<string, Known>();

  constructor(
    private readonly connection: RedisConnection,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
    @Inject(ARCHIVE) private readonly archive: StandingsArchive,
  ) {}

  /** The standings of `period`. Up to two round trips where it is closed and asked for the first time. */
  async find(leaderboard: LeaderboardBoards, period: Period): Promise<FoundStandings> {
    const live = this.live(leaderboard, period);
    const nowMs = this.settings.clock.now();
    // A rolling window is never archived.
    if (leaderboard.settings.rolling) return live;
    const { closesAtMs, expireAtMs } = leaderboard.timesOf(period);
    if (nowMs < closesAtMs) return live;

    const id = `${period.key} ${leaderboard.label}`;
    let known = this.known.get(id);
    if (!known || nowMs >= known.untilMs) {
      // Redis' clock may be ahead of ours: near its end a board is no longer counted on.
      const livesUntilMs = expireAtMs - this.settings.clockSkewMs;
      known = await this.look(this.archive, leaderboard, period, live, livesUntilMs);
      if (this.known.size >= maxKnown) this.known.clear();
      this.known.set(id, known);
    }
    return known.settled ? archived(this.archive, known.settled) : live;
  }

  /** An empty board may have expired earlier than today's options say: then the archive knows better. */
  private async look(
    archive: StandingsArchive,
    { label }: LeaderboardBoards,
    { key }: Period,
    live: FoundStandings,
    livesUntilMs: number,
  ): Promise<Known> {
    const nowMs = this.settings.clock.now();
    const lives = nowMs < livesUntilMs && (await live.read(() => live.standings.size())) > 0;
    if (lives) return { settled: null, untilMs: livesUntilMs };
    const settled = await readArchive(() => archive.find(label, key));
    return { settled, untilMs: settled ? Infinity : nowMs + nothingForMs };
  }

  private live(leaderboard: LeaderboardBoards, period: Period): FoundStandings {
    return {
      standings: liveStandings(leaderboard, period),
      settled: null,
      read: (work) => this.connection.read(work),
    };
  }
}

/** The live board as it is, and beside it those who are kept off it. */
function liveStandings(leaderboard: LeaderboardBoards, period: Period): Standings {
  const board = leaderboard.reader(period);
  return {
    size: () => board.size(),
    head: (count) => board.head(count),
    after: (cursor, count, options) => board.after(cursor, count, options),
    pageAt: (offset, count, options) => board.pageAt(offset, count, options),
    at: (rank, options) => board.at(rank, options),
    entry: (userId, options) => board.entry(userId, options),
    entries: (userIds, options) => board.entries(userIds, options),
    ranks: (userIds, options) => board.ranks(userIds, options),
    around: (userId, options) => board.around(userId, options),
    percentile: (userId) => board.percentile(userId),
    hiddenEntry: (userId) => leaderboard.aside(period).entry(userId),
  };
}

function archived(archive: StandingsArchive, settled: SettledPeriod): FoundStandings {
  return { standings: new ArchivedStandings(archive, settled), settled, read: readArchive };
}
