/**
 * An outbox in PostgreSQL: events are written in the transaction of the change that they tell (`outbox_write(lane,
 * event)` in SQL) and handed over until they are acknowledged; `outbox_forget(lane)` erases. The table and its
 * functions are the app's, in its migrations: `0003_outbox.sql`, `0004_outbox_forget.sql` and
 * `0007_outbox_forget_all.sql` of apps/community.
 */
export type { OutboxEvent } from './outbox-event';
export { OutboxLog } from './outbox-log';
export { forgetDone, outboxState, type OutboxQueries, type OutboxState } from './queries';
export { Relay } from './relay';
export type { RelayOptions } from './relay-options';
export type { NotYet, RelayObserver, RelayReceiver } from './relay-receiver';
