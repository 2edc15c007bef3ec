import { Inject, Injectable } from '@nestjs/common';
import { TraceList } from '../account/trace-list';
import type { Operation, OperationLog } from '../core/extensions/operation';
import { Ledgers } from '../core/ledgers/ledgers';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../core/options/settings';
import { EventAnnouncer } from '../core/recording/event-announcer';
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
export class Operations implements OperationLog {
  private readonly list: TraceList<Operation>;

  constructor(
    private readonly connection: RedisConnection,
    ledgers: Ledgers,
    private readonly announcer: EventAnnouncer,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    /**
     * The last 10,000 things that operators did, the latest first.
     * @redis list
     * @expires never
     */
    const key = `{${settings.prefix}}:operations`;
    this.list = new TraceList(connection.client, {
      ...{ key, max: maxOperations, keptMs: null },
      names: ({ userId }) => (userId === null ? [] : [userId]),
      erasedAmong: (userIds) => ledgers.main.erasure.among(userIds),
    });
  }

  async add(told: Omit<Operation, 'at'>): Promise<void> {
    const operation: Operation = { at: new Date(this.settings.clock.now()).toISOString(), ...told };
    await this.connection.read(() => this.list.add([operation]));
    this.announcer.announce(OperatedEvent.eventName, new OperatedEvent(operation));
  }

  /** The latest, the latest first. One round trip. @throws ActivityError `unavailable` */
  recent(count: number): Promise<Operation[]> {
    return this.connection.read(() => this.list.recent(count));
  }

  /** Erases what was done to a user; returns how much there was. */
  erase(userId: string): Promise<number> {
    return this.connection.read(() => this.list.erase(userId));
  }

  /** Operations on a user, as `UserRecords` have them. */
  async *told(userId: string, isOwn: boolean): AsyncGenerator<object, void> {
    for (const { at, did, ...operators } of await this.recent(maxOperations)) {
      if (operators.userId === userId) yield { at, did, ...(!isOwn && operators) };
    }
  }
}
