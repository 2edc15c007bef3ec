/**
 * An outbox in PostgreSQL: events are written in the transaction of the change that they tell (`outbox_write(lane,
 * event)` in SQL) and handed over until they are acknowledged; `outbox_forget(lane)` erases. The table and its
 * functions are the app's: its migrations run {@link outboxMigrations}.
 * @module @laurel/outbox
 */
export type { OutboxEvent } from './outbox-event';
export { OutboxLog } from './outbox-log';
export { outboxMigrations, type OutboxMigration } from './outbox-migrations';
export { forgetDone, outboxState, type OutboxQueries, type OutboxState } from './queries';
export { Relay } from './relay';
export type { RelayOptions } from './relay-options';
export type { NotYet, RelayObserver, RelayReceiver } from './relay-receiver';
export { type KnexTransaction, type QueryTransaction, writeEvent } from './write/write-event';
