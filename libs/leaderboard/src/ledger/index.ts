/** The door of ledger/ for other rooms. */
export { isAdjustmentField } from './history/adjustment';
export type { Ledger } from './ledger';
export type { MemberChanges } from './members/excluded-members';
export type { FieldNames, LedgerBoard } from './model/ledger.types';
export { leastShown, mostShown, type BoardPeriod } from './periods/calendar';
