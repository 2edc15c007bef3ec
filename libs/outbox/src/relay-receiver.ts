/** Some of what was handed over is not taken yet. */
export interface NotYet<T> {
  readonly items: readonly T[];
  /** Why, for logs. */
  readonly error: Error;
}

/** Who is handed the events. Each may come again, after a failure or a death: taking one twice must do nothing. */
export interface RelayReceiver<T> {
  /**
   * What an event says.
   * @throws whatever tells why it cannot be taken: it is refused, and the later ones of its lane wait for it.
   */
  read(body: unknown): T;
  /**
   * Resolves with null if all events are taken for good, or with the events to deliver again after a pause, along with
   * those behind them in their lanes; all others are done. Events of one lane come in order. If it rejects, any event
   * may have been taken.
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

/** Is told what a relay does, for metrics and logs. Must not throw. */
export interface RelayObserver {
  /** Events were acknowledged, so many seconds after they were written, by the database's clock. */
  delivered(delaysS: readonly number[]): void;
  /** An event was refused. Its lane is tried again later; all others go on. */
  refused(eventId: string, error: unknown): void;
  /** An event is done with though it was refused: nobody took it. */
  passed(eventId: string, error: unknown): void;
  /** The receiver or the database is away: everything waits, and is tried again. */
  interrupted(by: 'receiver' | 'database', error: unknown): void;
}
