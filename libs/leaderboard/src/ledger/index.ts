/** The door of ledger/ for other rooms. */
export type { Ledger } from './ledger';
export { type CountSet, countSetOf, namedCounters, placeOfCount } from './limits/counts';
export type { MemberChanges } from './members/excluded-members';
export type { FieldNames, LedgerBoard, LedgerCount } from './model/ledger.types';
export { pathsBelow } from './pages/paths';
export type { BoardPeriod } from './periods/calendar';
export type { FormDays } from './settings/ledger-forms';
