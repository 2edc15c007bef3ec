import type { ArchivedEntry, SettledPeriod } from '@laurel/activity';
import { labelIn } from './stored-label';

/** A row of `settled_periods`, as the driver reads it: whole numbers of eight bytes are texts. */
export interface PeriodRow {
  readonly id: string;
  readonly leaderboard: string;
  readonly period: string;
  readonly start_ms: string;
  readonly end_ms: string;
  readonly settled_at_ms: string;
  readonly total: string;
  readonly checksum: string;
  readonly tie_rule: string;
  readonly rules_version: number;
  readonly titled: boolean;
}

/** The columns of a {@link PeriodRow}. */
export const periodColumns =
  'id, leaderboard, period, start_ms, end_ms, settled_at_ms, total, checksum, tie_rule, rules_version, titled';

/** A period as the archive returns it; `hidden` is the number of its hidden places. */
export function periodOf(row: PeriodRow, hidden = 0): SettledPeriod {
  return {
    leaderboard: labelIn(row.leaderboard),
    period: row.period,
    startMs: Number(row.start_ms),
    endMs: Number(row.end_ms),
    settledAtMs: Number(row.settled_at_ms),
    total: Number(row.total),
    checksum: row.checksum,
    tieRule: row.tie_rule,
    rulesVersion: row.rules_version,
    ...(row.titled && { titled: true }),
    ...(hidden > 0 && { hidden }),
  };
}

/** A row of `settled_entries`. A user's id is any text, a NUL included: its bytes. */
export interface EntryRow {
  readonly place: string;
  readonly competition: string;
  readonly dense: string;
  readonly user_id: Buffer;
  readonly score: number;
  readonly reached_at_ms: string | null;
}

/** The columns of an {@link EntryRow}. */
export const entryColumns = 'place, competition, dense, user_id, score, reached_at_ms';

export function entryOf(row: EntryRow): ArchivedEntry {
  return {
    ...placesOf(row),
    userId: row.user_id.toString(),
    score: row.score,
    reachedAtMs: row.reached_at_ms === null ? null : Number(row.reached_at_ms),
  };
}

/** The places of an entry, or of one whose user was erased. */
export function placesOf({ place, competition, dense }: Pick<EntryRow, 'place' | 'competition' | 'dense'>) {
  return { place: Number(place), competition: Number(competition), dense: Number(dense) };
}
