import { type ActivityChange, ActivityError, ActivityService, changesOf } from '@laurel/activity';
import type { RelayReceiver } from '@laurel/outbox';
import { Injectable } from '@nestjs/common';

/** Takes events of the outbox: they are recorded. What comes again is a duplicate to the ledger. */
@Injectable()
export class ActivityReceiver implements RelayReceiver<ActivityChange> {
  constructor(private readonly activities: ActivityService) {}

  /** @throws ActivityError where the module would not take it as it is: its action, for example, has no rule here. */
  read(body: unknown): ActivityChange {
    const changes = changesOf({ events: [body] });
    const [change] = changes;
    const [fault] = this.activities.faultsOf(changes);
    if (change && !fault) return change;
    throw new ActivityError('invalidActivity', `${fault?.path ?? 'The event'} ${fault?.message ?? 'is missing'}`);
  }

  async deliver(changes: readonly ActivityChange[]): Promise<void> {
    await this.activities.apply(changes);
  }

  isAway(error: unknown): boolean {
    return error instanceof ActivityError && (error.code === 'unavailable' || error.code === 'overloaded');
  }
}
