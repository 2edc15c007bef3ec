/**
 * For apps on MySQL or MariaDB: the tables of the outbox, and an event in a transaction of theirs. `Relay`,
 * `OutboxLog`, `outboxState` and `forgetDone` of `@laurel/outbox` take a pool of `mysql2/promise`.
 * @module @laurel/outbox/mysql
 */
export { outboxMigrations } from './mysql/mysql-migrations';
export { writeEvent } from './write/mysql-write';
