import { type ActivityChange, ActivityError, ActivityService, type Outcome } from '@laurel/activity';
import { changesOf } from '@laurel/activity/internals';
import { LeaderboardError } from '@laurel/leaderboard';
import type { NotYet, RelayReceiver } from '@laurel/outbox';
import { Injectable } from '@nestjs/common';
import { Outcomes } from '../outcomes/outcomes';
import { OutboxMetrics } from './outbox-metrics';

/** What is wrong with Redis, or with this instance, and not with an event. */
const awayCodes: ReadonlySet<string> = new Set([
  'unavailable',
  'overloaded',
  'shardCountMismatch',
  'formatMismatch',
  'settingsMismatch',
] satisfies (ActivityError | LeaderboardError)['code'][]);

/** Takes events of the outbox: they are recorded. What comes again is a duplicate to the ledger. */
@Injectable()
export class ActivityReceiver implements RelayReceiver<ActivityChange> {
  constructor(
    private readonly activities: ActivityService,
    private readonly outcomes: Outcomes,
    private readonly metrics: OutboxMetrics,
  ) {}

  /** @throws ActivityError `unknownAction` where no rule here has its action, `invalidActivity` where it is none. */
  read(body: unknown): ActivityChange {
    const changes = changesOf({ events: [body] });
    const [change] = changes;
    const faults = this.activities.faultsOf(changes);
    const [fault] = faults;
    if (change && !fault) return change;
    const isUnknown = faults.length > 0 && faults.every(({ path }) => path.endsWith('action'));
    const message = `${fault?.path ?? 'The event'} ${fault?.message ?? 'is missing'}`;
    throw new ActivityError(isUnknown ? 'unknownAction' : 'invalidActivity', message);
  }

  /** Events are dated by the database's clock: what this host's clock takes to lie in the future is asked for again. */
  async deliver(changes: readonly ActivityChange[]): Promise<NotYet<ActivityChange> | null> {
    const outcomes = await this.activities.apply(changes);
    const early: ActivityChange[] = [];
    outcomes.forEach((outcome, index) => {
      const change = changes[index] as ActivityChange;
      if (isEarly(outcome)) early.push(change);
      else this.tell(change, outcome);
    });
    if (early.length === 0) return null;
    return {
      items: early,
      error: new Error("this host's clock is behind the database's by more than LAUREL_CLOCK_SKEW_S"),
    };
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
    const isClosed = outcome.outcome === 'closed' || Object.values(outcome.boards).includes('closed');
    // What is cancelled after its day was settled stays there: nothing is missing.
    if (isClosed && change.revoke !== true) this.metrics.missed('closed');
    if (outcome.outcome === 'rejected' && outcome.reason !== 'erased') this.metrics.missed('rejected');
  }
}

function isEarly({ outcome, reason }: Outcome): boolean {
  return outcome === 'rejected' && reason === 'future';
}
