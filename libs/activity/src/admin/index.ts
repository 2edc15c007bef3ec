/**
 * The operators' log: import {@link AdminModule} beside `ActivityModule`.
 * @module @laurel/activity/admin
 */
export { AdminModule } from './admin.module';
export type { Operation } from '../core/extensions/operation';
export { OperatedEvent } from './operations';
