import type { TransitionOutcome, TransitionResult } from '@laurel/leaderboard';
import type { ActivityChange, OwnerOutcome } from '../activity/activity';
import { ownerTransitionsOf } from './transition';
import { ActivityError } from '../errors/errors';
import type { RecordingMetrics } from './recording-metrics';
import { outcomeOf } from './outcome-of';
import type { Answered, Asked, Recorders } from './recorders';
import type { RuleEntry } from '../rules/rule-book';

/** An activity, its rule, and what the ledgers were asked and answered about who did it. */
export interface Given {
  readonly change: ActivityChange;
  readonly entry: RuleEntry;
  readonly asked: Asked;
  readonly answered: Answered;
}

/** What is asked for one owner. */
interface OwnerAsked {
  readonly index: number;
  readonly given: Given;
  readonly userId: string;
  readonly asked: Asked;
}

/**
 * The giver's outcomes after which the subject's owner is granted or revoked too: the giver's ledger took the moment,
 * or has it already. So a repeated call after a failure between the two completes the owner's ledger.
 */
const passedOn: ReadonlySet<TransitionOutcome> = new Set(['granted', 'revoked', 'duplicate', 'notGranted']);

/**
 * Gives the owners of subjects what rules grant them. The owner's ledger lies on another shard, as a rule, so it is a
 * transition of its own, sent when the giver's is in Redis, with the same moments: whatever the order and however often
 * the two are delivered, the owner's stands where the giver's does.
 */
export class OwnerGrants {
  constructor(
    private readonly recorders: Recorders,
    private readonly metrics: RecordingMetrics,
  ) {}

  /**
   * Resolves when the owners' points are in Redis, with what became of them where the rule gives them any.
   * @param deadlineMs when the caller is told that they are not, by `performance.now()`.
   * @throws ActivityError `unavailable` where they could not be recorded: the givers' are, and repeating all is safe.
   */
  async pass(given: readonly Given[], deadlineMs: number): Promise<readonly (OwnerOutcome | null)[]> {
    const asked = given.flatMap((one, index) => askedOf(one, index) ?? []);
    const outcomes = given.map((): OwnerOutcome | null => null);
    if (asked.length === 0) return outcomes;
    const answered = await this.record(
      asked.map((one) => one.asked),
      deadlineMs,
    );
    asked.forEach(({ index, given: { entry }, userId }, i) => {
      const { outcome, points, scores } = outcomeOf(answered[i] as Answered);
      this.metrics.countReceived(entry.rule.action, outcome);
      if (entry.owner && entry.owner.points > 0) outcomes[index] = { userId, outcome, points, scores };
    });
    return outcomes;
  }

  private async record(asked: readonly Asked[], deadlineMs: number): Promise<Answered[]> {
    try {
      return await this.recorders.recordAll(asked, deadlineMs);
    } catch (cause) {
      if (!(cause instanceof ActivityError)) throw cause;
      // It must not be told as if nothing had been recorded.
      throw new ActivityError('unavailable', `The points of owners could not be recorded: ${cause.message}`, { cause });
    }
  }
}

function askedOf(given: Given, index: number): OwnerAsked | null {
  const { change, entry, answered } = given;
  const transitions = ownerTransitionsOf(entry, change, given.asked);
  if (!transitions) return null;
  const asked = transitions.map((transition, ledger) => (isPassedOn(answered[ledger]) ? transition : null));
  const first = asked.find((transition) => transition !== null);
  return first ? { index, given, userId: first.member, asked } : null;
}

function isPassedOn(result: TransitionResult | null | undefined): boolean {
  return result !== null && result !== undefined && passedOn.has(result.outcome);
}
