/** The door of ledger/ for other rooms. */
export type { Ledger } from './ledger';
export type { LedgerBoard } from './model/ledger.types';
export { leastShown, mostShown, type BoardPeriod } from './periods/calendar';
export { commit, elapsedOf, entered, type CommitCommand } from './recording/commit';
export { expectedOf, type ExpectedEntry } from './recording/expected';
export { packed } from './recording/member-case';
export type { Judging } from './recording/member-facts';
export type { MemberLedger } from './recording/member-ledger';
export type { View } from './recording/view';
export { readLayout, sinceField, type LayoutFields } from './settings/stored-settings';
