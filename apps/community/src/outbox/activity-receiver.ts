import { type ActivityChange, ActivityError, ActivityService, type Outcome } from '@laurel/activity';
import { LeaderboardError, systemClock } from '@laurel/leaderboard';
import type { NotYet, RelayReceiver } from '@laurel/outbox';
import { Inject, Injectable } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { COMMUNITY_OPTIONS, type CommunityOptions } from '../options/community.options';
import { Outcomes } from '../outcomes/outcomes';
import { type DomainEvent, eventOf } from './domain-events';
import { OutboxMetrics } from './outbox-metrics';

/** Error codes of Redis, or of this instance, and not of an event. */
const awayCodes: ReadonlySet<string> = new Set([
  'unavailable',
  'overloaded',
  'shardCountMismatch',
  'formatMismatch',
  'settingsMismatch',
] satisfies (ActivityError | LeaderboardError)['code'][]);

/** An event of the outbox: as its row has it, and as it is emitted. */
interface Announced {
  readonly change: ActivityChange;
  readonly name: string;
  readonly event: DomainEvent;
}

/**
 * Emits the events of the outbox. The ranking module listens to them, and acknowledges each: what `emitAsync` resolves
 * with is its outcome, or the error for which it is not recorded. What comes again is a duplicate to the ledger.
 */
@Injectable()
export class ActivityReceiver implements RelayReceiver<Announced> {
  constructor(
    private readonly emitter: EventEmitter2,
    private readonly activities: ActivityService,
    private readonly outcomes: Outcomes,
    private readonly metrics: OutboxMetrics,
    @Inject(COMMUNITY_OPTIONS) private readonly options: Pick<CommunityOptions, 'activity'>,
  ) {}

  /** @throws ActivityError `unknownAction` where no rule here has its action, `invalidActivity` where it is none. */
  read(body: unknown): Announced {
    const row = body as ActivityChange;
    const change = { ...row, ...momentsOf(row) };
    const faults = this.activities.faultsOf([change]);
    const [fault] = faults;
    const emitted = eventOf(change);
    if (emitted && !fault) return { change, ...emitted };
    const isUnknown = faults.every(({ path }) => path.endsWith('action'));
    const message = `${fault?.path ?? 'action'} ${fault?.message ?? 'has no event'}`;
    throw new ActivityError(isUnknown ? 'unknownAction' : 'invalidActivity', message);
  }

  /** Events are dated by the database's clock: what this host's clock takes to lie in the future is asked for again. */
  async deliver(announced: readonly Announced[]): Promise<NotYet<Announced> | null> {
    const outcomes = await Promise.all(announced.map((one) => this.emit(one)));
    const early: Announced[] = [];
    announced.forEach((one, index) => {
      const outcome = outcomes[index] as Outcome;
      if (outcome.outcome === 'rejected' && outcome.reason === 'future') early.push(one);
      else this.tell(one.change, outcome);
    });
    const behind = "this host's clock is behind the database's by more than LAUREL_CLOCK_SKEW_S";
    return early.length === 0 ? null : { items: early, error: new Error(behind) };
  }

  private async emit({ name, event }: Announced): Promise<Outcome> {
    const answers: readonly unknown[] = await this.emitter.emitAsync(name, event);
    for (const answer of answers) if (answer instanceof Error) throw answer;
    const outcome = answers.find(isOutcome);
    // Its rule is gone since it was read, or the app stops: the next look says which.
    if (!outcome) throw new ActivityError('unavailable', `Nobody listens to ${name}.`);
    return outcome;
  }

  isAway(error: unknown): boolean {
    return (error instanceof ActivityError || error instanceof LeaderboardError) && awayCodes.has(error.code);
  }

  /** Another version may have the rule, or a replay when there is one again. */
  mayPass(error: unknown): boolean {
    return error instanceof ActivityError && error.code === 'unknownAction';
  }

  private tell(change: ActivityChange, outcome: Outcome): void {
    this.outcomes.tell(change, outcome);
    const isClosed = [outcome.outcome, ...Object.values(outcome.boards)].includes('closed');
    // A settled day still shows what is cancelled later, or done again: only a late event is missing.
    const { clock = systemClock, latenessMs = 3_600_000 } = this.options.activity;
    const isLate = change.revoke !== true && Number(change.occurredAt) < clock.now() - latenessMs;
    if (isClosed && isLate) this.metrics.missed('closed');
    if (outcome.outcome === 'rejected' && outcome.reason !== 'erased') this.metrics.missed('rejected');
  }
}

/** The moments of a row, which JSON has as texts. */
function momentsOf({ occurredAt, grantedAt }: ActivityChange): Pick<ActivityChange, 'occurredAt' | 'grantedAt'> {
  return {
    ...(occurredAt && { occurredAt: new Date(occurredAt) }),
    ...(grantedAt && { grantedAt: new Date(grantedAt) }),
  };
}

function isOutcome(answer: unknown): answer is Outcome {
  return typeof answer === 'object' && answer !== null && 'outcome' in answer;
}
