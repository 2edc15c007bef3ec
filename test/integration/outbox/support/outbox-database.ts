import { type OutboxPool, Relay, type RelayObserver, type RelayOptions, type RelayReceiver } from '@laurel/outbox';

/** A transaction that writes events. */
export interface Transaction {
  write(lane: string, event: unknown): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/** Statements of the suites, where databases have different words for them. */
export interface Dialect {
  /** What all statements that lock lanes contain, and no others. */
  readonly locksLanes: string;
  /** The `n` of an event. */
  readonly n: string;
  readonly utcNow: string;
  /** Milliseconds from now until a column's moment. */
  readonly msUntil: (column: string) => string;
  /** A moment so many seconds before another. */
  readonly before: (moment: string, seconds: number) => string;
}

/** A pool of a relay of its own, as another process would have. */
export interface RelayPool {
  readonly pool: OutboxPool;
  end(): Promise<void>;
}

/** Called with a statement's text once it is done, before its result is given. */
export type AfterStatement = (text: string) => Promise<void>;

/** A database with an outbox, and the relays and connections of a suite. */
export abstract class OutboxDatabase {
  abstract readonly dialect: Dialect;
  abstract readonly pool: OutboxPool;
  private readonly relays: { stop(withinMs: number): Promise<void> }[] = [];
  private readonly pools: RelayPool[] = [];

  /** The rows of a statement that both databases understand. */
  abstract query<Row>(text: string): Promise<readonly Row[]>;
  abstract begin(): Promise<Transaction>;
  /** Connections of its own for a relay. */
  abstract relayPool(after?: AfterStatement): RelayPool;
  /** Erases a user; gives how many events there were. */
  abstract forget(lane: string): Promise<number>;
  /** Whether somebody waits for a lock. */
  abstract isWaitedFor(): Promise<boolean>;
  /** Ends the connections that have a transaction open, as an operator or a broken network does. */
  abstract breakTransactions(): Promise<void>;
  abstract stop(): Promise<void>;

  /** Writes events of one lane in a transaction each. */
  async write(lane: string, ...events: readonly unknown[]): Promise<void> {
    for (const event of events) {
      const transaction = await this.begin();
      await transaction.write(lane, event);
      await transaction.commit();
    }
  }

  /** A relay on connections of its own, as another process would have. */
  relay<T>(receiver: RelayReceiver<T>, options: Partial<RelayOptions<T>> = {}, after?: AfterStatement): Relay<T> {
    const own = this.relayPool(after);
    this.pools.push(own);
    const relay = new Relay({ pool: own.pool, receiver, observer: new Observed(), pollMs: 50, ...options });
    this.relays.push(relay);
    return relay;
  }

  /** Ends the suite's relays and forgets every event. */
  async clear(): Promise<void> {
    await Promise.all(this.relays.splice(0).map((relay) => relay.stop(5_000)));
    await Promise.all(this.pools.splice(0).map((pool) => pool.end()));
    await this.query('TRUNCATE TABLE outbox');
  }
}

/** Remembers what a relay said. */
export class Observed implements RelayObserver {
  readonly delays: number[] = [];
  readonly refusals: string[] = [];
  readonly passes: string[] = [];
  readonly interruptions: string[] = [];

  delivered(delaysS: readonly number[]): void {
    this.delays.push(...delaysS);
  }

  refused(eventId: string): void {
    this.refusals.push(eventId);
  }

  passed(eventId: string): void {
    this.passes.push(eventId);
  }

  interrupted(by: 'receiver' | 'database'): void {
    this.interruptions.push(by);
  }
}
