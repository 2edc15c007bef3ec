/** An event in the outbox. */
export interface OutboxEvent {
  /** A whole number, which orders the events of a lane. */
  readonly id: string;
  /** Events of one lane are delivered one after the other. */
  readonly lane: string;
  /** The parsed JSON; the text itself if it is not JSON. */
  readonly body: unknown;
}

/** An event that is not acknowledged yet. */
export interface WaitingEvent extends OutboxEvent {
  /** For how long, by the database's clock. */
  readonly waitedMs: number;
}
