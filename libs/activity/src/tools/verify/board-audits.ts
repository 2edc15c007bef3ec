import { LedgerAudit, type AuditDifference, type Ledger } from '@laurel/leaderboard';
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
import { everyRule } from '../every-rule';
import { pointsOf } from '../../points/decimals';
import { RulesInForce } from '../../rules/rules-in-force';
import { ledgerFieldPrefix, ownerFieldPrefix } from '../../rules/ledger-field';
import { auditedCounts, auditedLimits } from './audited-limits';
import { boardCounts } from '../../rules/board-counts';
import { fedBy } from '../board-counts';

/** What to compare. */
export interface BoardAuditOptions {
  /** One leaderboard alone. Default: all. */
  readonly leaderboard?: string;
  /** One period alone, as in `GET /ranks/:leaderboard?period=`; needs `leaderboard`. Default: all open ones. */
  readonly period?: string;
  /** Called with each difference as it is found. */
  readonly onDifference?: (difference: AuditDifference) => void;
  /** Called with how many keys and entries of about how many were read. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Stops it. */
  readonly signal?: AbortSignal;
}

/** The result of comparing boards with their ledgers. */
export interface BoardAuditReport {
  /** Ledgers of users' days that were read. */
  readonly ledgers: number;
  /** Windows of sliding limits; none where one leaderboard was named. */
  readonly windows: number;
  /** Entries that were compared, shown or beside. */
  readonly entries: number;
  readonly differences: number;
  /** How many of them were repaired. */
  readonly healed: number;
  /** How many periods of boards were compared. */
  readonly periods: number;
  /** Periods of which not everything can be proved. */
  readonly gaps: readonly AuditGap[];
}

/** Faults whose numbers are points. */
const ofPoints: ReadonlySet<AuditDifference['fault']> = new Set(['points', 'unfounded']);

/** Compares open boards with the ledgers that they are the sums of, and repairs them. */
@Injectable()
export class BoardAudits {
  constructor(
    private readonly ledgers: Ledgers,
    private readonly leaderboards: Leaderboards,
    private readonly rules: RulesInForce,
    private readonly connection: RedisConnection,
  ) {}

  /**
   * Compares every entry of every open period with its user's ledgers, each at one moment, while recording continues:
   * its points, and its time as far as ledgers bound it. It also compares the counts of daily limits, the windows of
   * sliding ones (each place has its grant), lists of days and first days.
   *
   * Not compared, since nothing proves them: closed periods, whose ledgers may be gone, and those that a clock within
   * `clockSkewMs` of this one may have closed; the exact time of a score; whether each grant has its place in a window,
   * as a repeated grant moves its time on; the data of the app's own limits. Rolling windows are rebuilt every
   * `refreshMs`.
   *
   * Changes nothing. Takes the memory of a page, a look at every key of Redis, and a script call for each user's day
   * and window.
   * @throws ActivityError `unknownLeaderboard`, `unknownPeriod`, `invalidQuery`, `unavailable`.
   */
  verify(options: BoardAuditOptions = {}): Promise<BoardAuditReport> {
    return this.run(options, false);
  }

  /**
   * Like {@link verify}, and repairs each difference from the ledgers in one atomic step, while recording continues:
   * points and counts as they add up; the time as it was or, where it is missing or impossible, the latest in the
   * ledgers; places without a grant are removed. Safe to repeat; an interrupted run starts over. Where a period's first
   * ledgers are gone, entries are only raised; partitions stay as they are; both are among the gaps. Replaced entries
   * are kept until their board expires: see {@link undoRebuild}, {@link forgetRebuilt}.
   * @throws ActivityError as {@link verify}.
   */
  rebuild(options: BoardAuditOptions = {}): Promise<BoardAuditReport> {
    return this.run(options, true);
  }

  /**
   * Restores the entries that {@link rebuild} replaced, as they were before its first run, except those that have
   * changed since and those of settled boards. Safe to repeat. A look at every key of Redis.
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

  /**
   * Removes what {@link undoRebuild} would restore; returns of how many users. A look at every key of Redis.
   * @throws ActivityError `unavailable`
   */
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
      const actions = await everyRule(this.connection, this.ledgers, this.rules);
      const report = { ledgers: 0, windows: 0, entries: 0, differences: 0, healed: 0, periods: 0 };
      const gaps: AuditGap[] = [];
      for (const ledger of this.ledgers.all) {
        if (only && only.ledger !== ledger) continue;
        const summary = await new LedgerAudit(this.connection.client, ledger, {
          countsOn: boardCounts(fedBy(this.ledgers, ledger), actions),
          counts: auditedCounts(this.rules.book),
          limits: only ? [] : auditedLimits(this.rules.book, actions),
          spread: actions.flatMap(({ days, once, code }) => {
            const prefix = ledgerFieldPrefix(code);
            return days > 1 || once === 'ever' ? [prefix, ownerFieldPrefix + prefix] : [];
          }),
          heals,
          includes: (board, key) => (!only || only.name === board) && (period === null || period === key),
          ...(options.onDifference && { onDifference: this.inPoints(ledger, options.onDifference) }),
          ...(options.onProgress && { onProgress: options.onProgress }),
          signal: options.signal,
        }).run();
        const counts = { ...summary, periods: summary.periods.length };
        for (const kind of ['ledgers', 'windows', 'entries', 'differences', 'healed', 'periods'] as const) {
          report[kind] += counts[kind];
        }
        gaps.push(...summary.gaps);
      }
      return { ...report, gaps };
    });
  }

  /** Differences of points as everybody has points: ledgers and boards have whole units. Tallies are counts. */
  private inPoints(ledger: Ledger, tell: (difference: AuditDifference) => void): (difference: AuditDifference) => void {
    const { book } = this.rules;
    const tallies = new Set(ledger.settings.boards.flatMap(({ name, tallyOf }) => (tallyOf ? [name] : [])));
    const limits = new Set(
      book.limits.flatMap(({ limit }) => ('of' in limit && limit.of === 'points' ? limit.name : [])),
    );
    const isOfPoints = ({ fault, board, of = '' }: AuditDifference) =>
      fault === 'count' ? limits.has(of.split(', ')[0] ?? '') : ofPoints.has(fault) && !tallies.has(board);
    const shown = (units: number) => pointsOf(units, book.decimals);
    return (one) =>
      tell(
        isOfPoints(one)
          ? { ...one, expected: shown(one.expected), found: one.found === null ? null : shown(one.found) }
          : one,
      );
  }

  /** The key of the boards that are fed: of a rolling window, that of its last day. */
  private periodOf(leaderboard: LeaderboardBoards | null, key: string | undefined): string | null {
    if (!leaderboard || key === undefined) return null;
    return this.leaderboards.period(leaderboard, key).key;
  }
}
