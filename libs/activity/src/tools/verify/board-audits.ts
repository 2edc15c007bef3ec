import { LedgerAudit, type AuditDifference } from '@laurel/leaderboard';
import {
  RebuiltEntries,
  type AuditGap,
  type RebuiltWalkOptions,
  type RestoredEntries,
} from '@laurel/leaderboard/internals';
import { Injectable } from '@nestjs/common';
import { RedisConnection } from '../../redis/redis-connection';
import { runInRedis } from '../../redis/run-in-redis';
import type { LeaderboardBoards } from '../../ledgers/leaderboard-boards';
import { Ledgers } from '../../ledgers/ledgers';
import { Leaderboards } from '../../ranks/leaderboards';
import { RulesEver } from '../walks/rules-ever';
import { RulesInForce } from '../../rules/rules-in-force';
import { ownerFieldPrefix } from '../../rules/owner-field';
import { ledgerFieldPrefix } from '../../rules/ledger-field';
import { auditedCounts, auditedLimits } from './audited-limits';
import { boardCounts } from './board-counts';

/** What to compare. */
export interface BoardAuditOptions {
  /** One leaderboard alone. Default: all. */
  readonly leaderboard?: string;
  /** One period alone, as in `GET /ranks/:leaderboard?period=`; needs `leaderboard`. Default: all open ones. */
  readonly period?: string;
  /** Told of each difference as it is found. */
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
  /** Windows of sliding limits; none where one leaderboard alone was asked for. */
  readonly windows: number;
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
    private readonly rules: RulesInForce,
    private readonly rulesEver: RulesEver,
    private readonly connection: RedisConnection,
  ) {}

  /**
   * Compares every entry of every open period with its user's ledgers, each at one moment, so while recording goes on: points,
   * and the time as far as ledgers bound it. So too what is kept beside: the counts of daily limits, the windows of sliding ones
   * (each place has its grant), lists of days, first days, and the sums of closed days that rolling windows are made from.
   * As day, week and month equal the same ledgers, a user's month is the sum of his days, as far as ledgers reach.
   *
   * Not compared, as nothing tells it: closed periods, whose ledgers may go on, and those that a clock within `clockSkewMs` of
   * this one may have closed; when exactly a score was reached, and that each
   * grant has its place in a window, as grants that are repeated move their moments on; what limits of the app's own keep.
   * Rolling windows themselves are put together anew every `refreshMs`.
   *
   * Changes nothing. In the memory of a page; a look at every key of Redis, and a script call for each user's day and window.
   * @throws ActivityError `unknownLeaderboard`, `unknownPeriod`, `invalidQuery`, `unavailable`.
   */
  verify(options: BoardAuditOptions = {}): Promise<BoardAuditReport> {
    return this.run(options, false);
  }

  /**
   * As {@link verify}, and puts everything right that is not what its ledgers say: points and counts as they add up; the time as
   * it was, or where there was no entry, or it cannot be, the latest moment in the ledgers; places that no grant took go. Each
   * in one step, so recording goes on. Safe to repeat, also where it was cut short: it begins at the beginning then. Of periods whose first ledgers are gone, entries are raised to what is left of them, never lowered; parts of
   * partitioned leaderboards stay as they are; both are among the gaps. Entries that are replaced are kept until their board
   * expires: see {@link undoRebuild}, {@link forgetRebuilt}.
   * @throws ActivityError as {@link verify}.
   */
  rebuild(options: BoardAuditOptions = {}): Promise<BoardAuditReport> {
    return this.run(options, true);
  }

  /**
   * Puts back the entries that {@link rebuild} replaced, as they were before the first of its runs; those that something has
   * changed since stay, and so do settled boards. Safe to repeat. A look at every key of Redis.
   * @throws ActivityError `unavailable`
   */
  undoRebuild(options: RebuiltWalkOptions = {}): Promise<RestoredEntries> {
    return runInRedis(this.connection, async () => {
      const sum = { restored: 0, changed: 0, final: 0 };
      for (const ledger of this.ledgers.all) {
        const { restored, changed, final } = await new RebuiltEntries(this.connection.client, ledger).restore(options);
        sum.restored += restored;
        sum.changed += changed;
        sum.final += final;
      }
      return sum;
    });
  }

  /** Drops what {@link undoRebuild} would put back; gives of how many users. A look at every key of Redis. @throws ActivityError `unavailable` */
  forgetRebuilt(options: RebuiltWalkOptions = {}): Promise<number> {
    return runInRedis(this.connection, async () => {
      let dropped = 0;
      for (const ledger of this.ledgers.all) {
        dropped += await new RebuiltEntries(this.connection.client, ledger).drop(options);
      }
      return dropped;
    });
  }

  private run(options: BoardAuditOptions, heals: boolean): Promise<BoardAuditReport> {
    const only = options.leaderboard === undefined ? null : this.ledgers.boards(options.leaderboard);
    const period = this.periodOf(only, options.period);
    return runInRedis(this.connection, async () => {
      const actions = await this.rulesEver.find();
      const report = {
        ledgers: 0,
        windows: 0,
        entries: 0,
        differences: 0,
        healed: 0,
        periods: 0,
        gaps: [] as AuditGap[],
      };
      for (const ledger of this.ledgers.all) {
        if (only && only.ledger !== ledger) continue;
        const summary = await new LedgerAudit(this.connection.client, ledger, {
          countsOn: boardCounts(this.ledgers.fedBy(ledger), actions),
          counts: auditedCounts(this.rules.book),
          limits: only ? [] : auditedLimits(this.rules.book, actions),
          spread: actions.flatMap(({ days, code }) => {
            const prefix = ledgerFieldPrefix(code);
            return days > 1 ? [prefix, ownerFieldPrefix + prefix] : [];
          }),
          heals,
          includes: (board, key) => (!only || only.name === board) && (period === null || period === key),
          ...(options.onDifference && { onDifference: options.onDifference }),
          ...(options.onProgress && { onProgress: options.onProgress }),
          signal: options.signal,
        }).run();
        report.ledgers += summary.ledgers;
        report.windows += summary.windows;
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
}
