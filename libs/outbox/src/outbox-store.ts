import type { OutboxEvent, WaitingEvent } from './outbox-event';

/** An outbox as its database keeps it: all statements that differ from one database to another. */
export interface OutboxStore {
  /**
   * Runs what hands events over, in one transaction. What is erased is waited for before, and waits until it is over:
   * so nothing that was read here is recorded after its erasure.
   * @throws whatever the work does; the database's own errors.
   */
  handOver<R>(work: (statements: HandoverStatements) => Promise<R>): Promise<R>;
  /** The events that wait now, by the database's clock. */
  state(): Promise<OutboxState>;
  /** Deletes up to `count` events that were acknowledged and written longer ago than this. Gives how many. */
  forgetDone(keptMs: number, count: number): Promise<number>;
  /** The events written since then, up to now. */
  stretchSince(since: Date): Promise<Stretch>;
}

/** The statements of a transaction that hands events over. */
export interface HandoverStatements {
  /**
   * Locks up to `count` lanes in which something waits and which nobody holds or has to leave alone, those that wait
   * for longest first, then reads the first of what waits in them, each lane's in order. The locks go with the
   * transaction. Null where no lane is free.
   */
  take(count: number): Promise<readonly WaitingEvent[] | null>;
  /** Notes that these are done with. Gives how long each had waited, in seconds. */
  acknowledge(ids: readonly string[]): Promise<readonly number[]>;
  /** Notes that one was refused, and until when its lane waits. */
  refuse(id: string, bounds: { readonly retryMs: number; readonly maxRetryMs: number }): Promise<void>;
  /** Notes that the lanes of these wait for so long, though nothing is wrong with them. */
  postpone(ids: readonly string[], ms: number): Promise<void>;
  /** The next events of a stretch, in the order in which they were written, done or waiting. */
  page(after: Place, until: string, count: number): Promise<readonly PlacedEvent[]>;
}

/** Where a page begins: the last before it, by the database's own text of its moment. */
export interface Place {
  readonly at: string;
  readonly id: string;
}

export interface PlacedEvent extends OutboxEvent, Place {}

/** The events that were written in a stretch of time. */
export interface Stretch {
  /** Before the first of them. */
  readonly start: Place;
  /** The database's own text, which keeps its microseconds. */
  readonly until: string;
  readonly total: number;
}

/** The events that wait. */
export interface OutboxState {
  readonly waiting: number;
  /** How long the oldest has waited, in seconds; 0 if none waits. */
  readonly oldestS: number;
}

/** A step of the outbox's tables, as statements without parameters: for PostgreSQL some, for MySQL one each. */
export interface OutboxMigration {
  /** Stays the same for ever. */
  readonly name: string;
  readonly up: string;
  readonly down: string;
}
