import { writeEvent } from '@laurel/outbox/drizzle';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, type Database, type Transaction } from '../database/database';
import { Outcomes } from '../outcomes/outcomes';
import { ActivityRelay } from './activity-relay';
import { type DomainEvent, rowOf } from './domain-events';

/** Writes what was done into the outbox, in the transaction that did it. The last thing a transaction does. */
export type Announce = (event: DomainEvent) => Promise<void>;

/** Where changes of the database are made together with the events that tell them. */
@Injectable()
export class Outbox {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly relay: ActivityRelay,
    private readonly outcomes: Outcomes,
  ) {}

  /** Runs a transaction: what it announces is committed with what it changes, and handed to recording at once. */
  async transaction<T>(work: (transaction: Transaction, announce: Announce) => Promise<T>): Promise<T> {
    let hasAnnounced = false;
    const result = await this.database.transaction((transaction) =>
      work(transaction, async (event) => {
        const change = rowOf(event);
        await writeEvent(transaction, change.userId, change);
        this.outcomes.expect(change);
        hasAnnounced = true;
      }),
    );
    if (hasAnnounced) this.relay.wake();
    return result;
  }
}
