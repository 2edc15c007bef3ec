/** An event as it lies in the outbox. */
export interface OutboxEvent {
  /** A whole number: the order of its lane. */
  readonly id: string;
  /** Whose events are handed over one after the other. */
  readonly lane: string;
  /** What was written, as JSON gives it; the text where it is no JSON. */
  readonly body: unknown;
}

/** An event that is not acknowledged yet. */
export interface WaitingEvent extends OutboxEvent {
  /** For how long, by the database's clock. */
  readonly waitedMs: number;
}
