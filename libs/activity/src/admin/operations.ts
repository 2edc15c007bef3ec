import { Inject, Injectable } from '@nestjs/common';
import { TraceList } from '../account/trace-list';
import type { Operation, OperationLog } from '../core/extensions/operation';
import { Ledgers } from '../core/ledgers/ledgers';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../core/options/settings';
import { AppEvents } from '../core/recording/app-events';
import { RedisConnection } from '../core/redis/redis-connection';

/** The most lines that are stored; to keep more, listen to the event. */
export const maxOperations = 10_000;

/** Announced after an operator's request was carried out and added to the list. */
export class OperatedEvent {
  static readonly eventName = 'activity.operated';

  constructor(readonly operation: Operation) {}
}

/** Lists what operators did, by the routes of all instances. */
@Injectable()
export class Operations extends TraceList<Operation> implements OperationLog {
  constructor(
    connection: RedisConnection,
    ledgers: Ledgers,
    private readonly events: AppEvents,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    /**
     * The last 10,000 things that operators did, the latest first.
     * @redis list
     * @expires never
     */
    const key = `{${settings.prefix}}:operations`;
    const names = ({ userId }: Operation) => (userId === null ? [] : [userId]);
    super(connection, ledgers, { key, max: maxOperations, keptMs: null, names });
  }

  async add(told: Omit<Operation, 'at'>): Promise<void> {
    const operation: Operation = { at: new Date(this.settings.clock.now()).toISOString(), ...told };
    await this.put([operation]);
    this.events.announce(OperatedEvent.eventName, new OperatedEvent(operation));
  }

  /** Operations on a user, as `UserRecords` have them. */
  async *told(userId: string, isOwn: boolean): AsyncGenerator<object, void> {
    for (const { at, did, ...operators } of await this.recent(maxOperations))
      if (operators.userId === userId) yield { at, did, ...(!isOwn && operators) };
  }
}
