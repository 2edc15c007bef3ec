import { LedgerAudit, type AuditDifference, type Ledger } from '@laurel/leaderboard';
import type { AuditGap } from '@laurel/leaderboard/internals';
import { Injectable } from '@nestjs/common';
import {
  type LeaderboardBoards,
  Leaderboards,
  Ledgers,
  RedisConnection,
  RulesInForce,
  pointsOf,
  runInRedis,
} from '@laurel/activity/internals';

/** The boards to compare. */
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
  /** Compared entries, those of excluded users included. */
  readonly entries: number;
  readonly differences: number;
  /** How many of them were repaired. */
  readonly healed: number;
  /** How many periods of boards were compared. */
  readonly periods: number;
  /** Periods that could not be checked completely. */
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
   * its points, its time, and first days.
   *
   * Not compared: closed periods, whose ledgers may be gone, and those that a clock within `clockSkewMs` of this one
   * may have closed. Rolling windows are rebuilt every `refreshMs`.
   *
   * Changes nothing. Needs the memory of a page, a scan of all keys of Redis, and two or three round trips a user.
   * @throws ActivityError `unknownLeaderboard`, `unknownPeriod`, `invalidQuery`, `unavailable`.
   */
  verify(options: BoardAuditOptions = {}): Promise<BoardAuditReport> {
    return this.run(options, false);
  }

  /**
   * Like {@link verify}, and repairs each difference from the ledgers in one atomic step, while recording continues.
   * Safe to repeat; an interrupted run starts over. If a period's first ledgers are gone, entries are only raised;
   * `gaps` lists such periods.
   * @throws ActivityError as {@link verify}.
   */
  rebuild(options: BoardAuditOptions = {}): Promise<BoardAuditReport> {
    return this.run(options, true);
  }

  private run(options: BoardAuditOptions, heals: boolean): Promise<BoardAuditReport> {
    const only = options.leaderboard === undefined ? null : this.ledgers.boards(options.leaderboard);
    const period = this.periodOf(only, options.period);
    return runInRedis(this.connection, async () => {
      const report = { ledgers: 0, entries: 0, differences: 0, healed: 0, periods: 0 };
      const gaps: AuditGap[] = [];
      for (const ledger of this.ledgers.all) {
        if (only && only.ledger !== ledger) continue;
        const summary = await new LedgerAudit(this.connection.client, ledger, {
          heals,
          includes: (board, key) => (!only || only.name === board) && (period === null || period === key),
          ...(options.onDifference && { onDifference: this.inPoints(ledger, options.onDifference) }),
          ...(options.onProgress && { onProgress: options.onProgress }),
          signal: options.signal,
        }).run();
        const counts = { ...summary, periods: summary.periods.length };
        for (const kind of ['ledgers', 'entries', 'differences', 'healed', 'periods'] as const) {
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
    const isOfPoints = ({ fault, board }: AuditDifference) => ofPoints.has(fault) && !tallies.has(board);
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
