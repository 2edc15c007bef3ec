import { type ActivityChange, ActivityError, ActivityService, changesOf } from '@laurel/activity';
import type { RelayReceiver } from '@laurel/outbox';
import { Injectable } from '@nestjs/common';
import { Outcomes } from '../outcomes/outcomes';

/** Takes events of the outbox: they are recorded. What comes again is a duplicate to the ledger. */
@Injectable()
export class ActivityReceiver implements RelayReceiver<ActivityChange> {
  constructor(
    private readonly activities: ActivityService,
    private readonly outcomes: Outcomes,
  ) {}

  /** @throws ActivityError where the module would not take it as it is: its action, for example, has no rule here. */
  read(body: unknown): ActivityChange {
    const changes = changesOf({ events: [body] });
    const [change] = changes;
    const [fault] = this.activities.faultsOf(changes);
    if (change && !fault) return change;
    throw new ActivityError('invalidActivity', `${fault?.path ?? 'The event'} ${fault?.message ?? 'is missing'}`);
  }

  async deliver(changes: readonly ActivityChange[]): Promise<void> {
    const outcomes = await this.activities.apply(changes);
    outcomes.forEach((outcome, index) => this.outcomes.tell(changes[index] as ActivityChange, outcome));
  }

  isAway(error: unknown): boolean {
    return error instanceof ActivityError && (error.code === 'unavailable' || error.code === 'overloaded');
  }
}
