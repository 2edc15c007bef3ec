/**
 * What operators did: import {@link AdminModule} beside `ActivityModule`.
 * @module @laurel/activity/admin
 */
export { AdminModule } from './admin.module';
export type { Operation } from '../extensions/operation';
export { OperatedEvent } from './operations';
