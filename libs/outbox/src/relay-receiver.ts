/** Events that were not accepted yet. */
export interface NotYet<T> {
  readonly items: readonly T[];
  /** The reason, for logs. */
  readonly error: Error;
}

/**
 * Receives the events. After a failure or crash an event is delivered again: receiving it twice must change nothing.
 */
export interface RelayReceiver<T> {
  /**
   * Parses an event.
   * @throws any error if the event is invalid: it is refused, and later events of its lane wait.
   */
  read(body: unknown): T;
  /**
   * Resolves with null if all events are accepted, or with those to deliver again after a pause, together with the
   * later ones of their lanes; all others are done. Events of one lane come in order. If it rejects, all are delivered
   * again.
   */
  deliver(items: readonly T[]): Promise<NotYet<T> | null>;
  /** Whether {@link deliver} rejected because the receiver is away or full, rather than because an event is bad. */
  isAway(error: unknown): boolean;
  /**
   * Whether an event that {@link read} refused with this error may be skipped after `passAfterMs`, so that later events
   * do not wait for ever.
   */
  mayPass(error: unknown): boolean;
}

/** Notified of what a relay does, for metrics and logs. Must not throw. */
export interface RelayObserver {
  /** Events were acknowledged, so many seconds after they were written, by the database's clock. */
  delivered(delaysS: readonly number[]): void;
  /** An event was refused. Its lane is tried again later; all others go on. */
  refused(eventId: string, error: unknown): void;
  /** An event was skipped after it was refused: it is not recorded. */
  passed(eventId: string, error: unknown): void;
  /** The receiver or the database is away: everything waits, and is tried again. */
  interrupted(by: 'receiver' | 'database', error: unknown): void;
}
