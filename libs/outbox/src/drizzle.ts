/**
 * For apps that write with drizzle: an event in a transaction of theirs.
 * @module @laurel/outbox/drizzle
 */
export { type DrizzleTransaction, writeEvent } from './write/drizzle-write';
