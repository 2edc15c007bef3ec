/** An event as it lies in the outbox. */
export interface OutboxEvent {
  /** A whole number: the order of its lane. */
  readonly id: string;
  /** Whose events are handed over one after the other. */
  readonly lane: string;
  /** What was written, as JSON gives it. */
  readonly body: unknown;
}
