import type { Period, Transition, TransitionOutcome } from '@laurel/leaderboard';
import { adjustmentField } from '@laurel/leaderboard/internals';
import { performance } from 'node:perf_hooks';
import {
  type ActivitySettings,
  type LeaderboardBoards,
  type Ledgers,
  type Recorder,
  type RedisConnection,
  type RulesInForce,
  unitsOf,
} from '@laurel/activity/internals';
import { membersOf } from './members-of';
import { idOf, idPrefixOf, latestTotal, type TakenTotal } from './taken-total';

/** A source's total for a user. */
export interface SourceScore {
  readonly userId: string;
  readonly score: number;
}

/** A user to whom the source has given more, or less, than was taken over. */
export interface ScoreChange extends SourceScore {
  readonly taken: TakenTotal;
}

/** The outcome of a change. */
export interface TakenScore {
  readonly userId: string;
  readonly outcome: TransitionOutcome;
  /** By how much the leaderboard changed. */
  readonly points: number;
}

/** Where scores go, and where they come from. */
export interface ScoreTarget {
  readonly boards: LeaderboardBoards;
  readonly period: Period;
  /** Names the source: what was taken over is known by it. */
  readonly source: readonly string[];
  /** Why, as the users' histories show it. */
  readonly reason: string;
}

/** The services of a {@link ScoreTakeover}. */
export interface TakeoverParts {
  readonly ledgers: Ledgers;
  readonly recorder: Recorder;
  readonly connection: RedisConnection;
  readonly rules: RulesInForce;
  readonly settings: ActivitySettings;
}

/**
 * Gives users, on one leaderboard, what another system gave them: as an adjustment of the difference to what was taken
 * over before, so it may be repeated, while both systems count. One process at a time. Users with equal points who are
 * taken over together stand in the order of their ids, as in a sorted set.
 */
export class ScoreTakeover {
  private readonly prefix: string;
  private readonly atMs: number;

  constructor(
    private readonly parts: TakeoverParts,
    private readonly target: ScoreTarget,
  ) {
    this.prefix = idPrefixOf([...target.source, target.boards.name, target.period.key]);
    this.atMs = parts.settings.clock.now();
  }

  /** Users with scores other than were taken over. One round trip. @throws ActivityError `unavailable` */
  async changes(scores: readonly SourceScore[]): Promise<ScoreChange[]> {
    const { ledger } = this.target.boards;
    const ids = await this.parts.connection.read(() =>
      ledger.history.adjustmentIds(scores.map(({ userId }) => userId)),
    );
    return scores.flatMap((score, i) => {
      const taken = latestTotal(this.prefix, ids[i] ?? []);
      return taken.total === score.score ? [] : [{ ...score, taken }];
    });
  }

  /**
   * Takes changes over. A share of one round trip each; safe to repeat.
   * @throws ActivityError `unavailable`, `overloaded`: some may be taken over.
   */
  async take(changes: readonly ScoreChange[]): Promise<TakenScore[]> {
    const { recorder, settings } = this.parts;
    const deadlineMs = performance.now() + settings.recordTimeoutMs;
    return Promise.all(
      changes.map(async (change) => {
        const { answers, fault } = await recorder.record([this.asked(change)], deadlineMs);
        if (fault) throw fault;
        const result = answers[0]?.find((one) => one !== null);
        const { boards } = this.target;
        const points = boards.pointsOf(result?.points ?? 0);
        return { userId: change.userId, outcome: result?.outcome ?? 'closed', points };
      }),
    );
  }

  /** Everybody on the leaderboard, in pages: who left the source is found among them. A round trip for each 500. */
  members(): AsyncGenerator<string[]> {
    return membersOf(this.parts.connection, this.target.boards, this.target.period);
  }

  private asked({ userId, score, taken }: ScoreChange): (Transition | null)[] {
    const { boards, period, reason } = this.target;
    const { decimals } = boards.settings;
    const id = idOf(this.prefix, { turn: taken.turn + 1, total: score });
    const transition: Transition = {
      kind: 'adjust',
      member: userId,
      field: adjustmentField(id),
      points: unitsOf(score, decimals) - unitsOf(taken.total, decimals),
      note: reason,
      occurredAtMs: this.atMs,
      board: boards.name,
      ...(!period.holds(this.atMs) && { grantedAtMs: (period.end as Date).getTime() - 1 }),
    };
    return this.parts.ledgers.all.map((ledger) => (ledger === boards.ledger ? transition : null));
  }
}
