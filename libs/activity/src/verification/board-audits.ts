import { LedgerAudit, type AuditDifference, type AuditGap } from '@laurel/leaderboard';
import { Inject, Injectable } from '@nestjs/common';
import { ActivityService } from '../activity.service';
import { RedisConnection } from '../connection/redis-connection';
import { runInRedis } from '../connection/run-in-redis';
import type { LeaderboardBoards } from '../ledgers/leaderboard-boards';
import { Ledgers } from '../ledgers/ledgers';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { Leaderboards } from '../ranks/leaderboards';
import { RulesInForce } from '../rules/rules-in-force';
import { boardCounts } from './board-counts';

/** What to compare. */
export interface BoardAuditOptions {
  /** One leaderboard alone. Default: all. */
  readonly leaderboard?: string;
  /** One period alone, as in `GET /ranks/:leaderboard?period=`; needs `leaderboard`. Default: all open ones. */
  readonly period?: string;
  readonly onDifference?: (difference: AuditDifference) => void;
  /** Told how many keys and entries of about how many were looked at. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Breaks it off. */
  readonly signal?: AbortSignal;
}

/** What boards were compared with their ledgers. */
export interface BoardAuditReport {
  /** Ledgers of users' days that were read. */
  readonly ledgers: number;
  /** Entries that were compared, shown or beside. */
  readonly entries: number;
  readonly differences: number;
  /** How many of them were put right. */
  readonly healed: number;
  /** How many periods of boards were compared. */
  readonly periods: number;
  /** Periods of which not everything can be proved. */
  readonly gaps: readonly AuditGap[];
}

/** Proves open boards equal to the ledgers that they are the sums of, and restores them from these. */
@Injectable()
export class BoardAudits {
  constructor(
    private readonly ledgers: Ledgers,
    private readonly leaderboards: Leaderboards,
    private readonly activities: ActivityService,
    private readonly rules: RulesInForce,
    private readonly connection: RedisConnection,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  /**
   * Compares every entry of every open period with its user's ledgers, each at one moment, so while recording goes on.
   * Changes nothing. In the memory of a page; a look at every key of Redis, and a script call for each user's day.
   * @throws ActivityError `unknownLeaderboard`, `unknownPeriod`, `invalidQuery`, `unavailable`.
   */
  verify(options: BoardAuditOptions = {}): Promise<BoardAuditReport> {
    return this.run(options, false);
  }

  /**
   * As {@link verify}, and puts every entry right that is not what its ledgers say: points as they add up, the time as it
   * was, or, where there was no entry, the latest moment in the ledgers. Recording goes on. Safe to repeat, also where it
   * was cut short. Of periods whose first ledgers are gone, entries are raised to what is left of them, never lowered; parts of
   * partitioned leaderboards stay as they are; both are among the gaps.
   * @throws ActivityError as {@link verify}.
   */
  rebuild(options: BoardAuditOptions = {}): Promise<BoardAuditReport> {
    return this.run(options, true);
  }

  private run(options: BoardAuditOptions, heals: boolean): Promise<BoardAuditReport> {
    const only = options.leaderboard === undefined ? null : this.ledgers.boards(options.leaderboard);
    const period = this.periodOf(only, options.period);
    return runInRedis(this.connection, async () => {
      const actions = await this.actionsEver();
      const report = { ledgers: 0, entries: 0, differences: 0, healed: 0, periods: 0, gaps: [] as AuditGap[] };
      for (const ledger of this.ledgers.all) {
        if (only && only.ledger !== ledger) continue;
        const fed = this.settings.leaderboards.filter(({ name }) => this.ledgers.boards(name).ledger === ledger);
        const summary = await new LedgerAudit(this.connection.client, ledger, {
          countsOn: boardCounts(fed, actions),
          heals,
          includes: (board, key) => (!only || only.name === board) && (period === null || period === key),
          ...(options.onDifference && { onDifference: options.onDifference }),
          ...(options.onProgress && { onProgress: options.onProgress }),
          signal: options.signal,
        }).run();
        report.ledgers += summary.ledgers;
        report.entries += summary.entries;
        report.differences += summary.differences;
        report.healed += summary.healed;
        report.periods += summary.periods.length;
        report.gaps.push(...summary.gaps);
      }
      return report;
    });
  }

  /** The key of the boards that are fed: of a rolling window, that of its last day. */
  private periodOf(leaderboard: LeaderboardBoards | null, key: string | undefined): string | null {
    if (!leaderboard || key === undefined) return null;
    return this.leaderboards.period(leaderboard, key).key;
  }

  private async actionsEver() {
    const versions = await this.activities.ruleVersions();
    return [...versions.flatMap(({ rules }) => rules), ...this.rules.book.rules];
  }
}
