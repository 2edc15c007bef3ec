/**
 * An outbox in PostgreSQL, MySQL or MariaDB: events are written in the transaction of the change that they tell
 * (`outbox_write(lane, event)` in SQL) and handed over until they are acknowledged; `outbox_forget(lane)` erases. The
 * table and its functions are the app's: its migrations run {@link outboxMigrations}, on MySQL those of
 * `@laurel/outbox/mysql`.
 * @module @laurel/outbox
 */
export type { MySqlConnection, MySqlPool, MySqlQueries } from './mysql/mysql-pool';
export type { OutboxEvent } from './outbox-event';
export { OutboxLog } from './outbox-log';
export { forgetDone, outboxState } from './outbox-state';
export type { OutboxMigration, OutboxState } from './outbox-store';
export { databaseIdOf } from './postgres/database-id';
export { outboxMigrations } from './postgres/postgres-migrations';
export { Relay } from './relay';
export type { RelayOptions } from './relay-options';
export type { NotYet, RelayObserver, RelayReceiver } from './relay-receiver';
export type { OutboxPool } from './store-of';
export { type KnexTransaction, type QueryTransaction, writeEvent } from './write/write-event';
