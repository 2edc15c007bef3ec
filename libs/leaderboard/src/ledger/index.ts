/** The door of ledger/ for other rooms. */
export { type HashFields, thawed } from './cold/cold-form';
export { coldKeys, placeOfLedger } from './cold/cold-keys';
export { adjustmentIn, isAdjustmentField } from './history/adjustment';
export { standsSinceMs } from './history/ledger-lines';
export type { Ledger } from './ledger';
export { type CountSet, countSetOf, namedCounters, placeOfCount } from './limits/counts';
export type { MemberChanges } from './members/excluded-members';
export type { FieldNames, LedgerBoard, LedgerCount } from './model/ledger.types';
export { longValue } from './model/field-value';
export { pathsBelow } from './pages/paths';
export { leastShown, mostShown, type BoardPeriod } from './periods/calendar';
export { readLayout, sinceField, type LayoutFields } from './settings/stored-settings';
