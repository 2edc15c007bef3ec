/** The door of ledger/ for other rooms. */
export type { Ledger } from './ledger';
export type { LedgerBoard } from './model/ledger.types';
export { isOfHours, type BoardPeriod } from './periods/calendar';
export { claimMs, commit, entered, isClaimed, isErased, type CommitCommand } from './recording/commit';
export { messagePack, Places } from './recording/message-pack';
export { expectedOf, type ExpectedEntry } from './recording/entries';
export type { Judging } from './recording/reading';
export type { MemberLedger } from './recording/member-ledger';
export type { View } from './recording/view';
export { readLayout, sinceField, type LayoutFields } from './settings/stored-settings';
