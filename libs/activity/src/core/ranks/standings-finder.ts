import type { Period } from '@laurel/leaderboard';
import { Inject, Injectable } from '@nestjs/common';
import { ActivityError } from '../errors/errors';
import { Extensions } from '../extensions/extensions';
import type { SettledStandings } from '../extensions/past-standings';
import type { LeaderboardBoards } from '../ledgers/leaderboard-boards';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { RedisConnection } from '../redis/redis-connection';

/** Standings, and how they are read. */
export interface FoundStandings extends Pick<SettledStandings, 'standings' | 'hiddenEntry' | 'read'> {
  /** The period where it is settled. */
  readonly settled: SettledStandings['period'] | null;
}

/** Finds the standings of a period: in Redis while its board is there, afterwards in an archive of the app's. */
@Injectable()
export class StandingsFinder {
  constructor(
    private readonly connection: RedisConnection,
    private readonly extensions: Extensions,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  /**
   * The standings of `period`. Reads nothing, except of a closed period, once: one read of its board and of the
   * archive.
   * @throws ActivityError `unknownPeriod` where the board has expired and there is no archive.
   */
  async find(leaderboard: LeaderboardBoards, period: Period): Promise<FoundStandings> {
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
    const message = `The board of "${leaderboard.name}" ${period.key} has expired: import SettlementModule to archive periods.`;
    throw new ActivityError('unknownPeriod', message);
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
