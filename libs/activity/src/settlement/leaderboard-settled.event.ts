import type { Title } from '../core/extensions/title-source';
import type { ArchivedEntry } from './archive/standings-archive';

/** One of the first of a settled period. */
export interface Winner extends ArchivedEntry {
  /** The title that they won; null: none. Left out where no titles were settled with the period. */
  readonly title?: Title | null;
}

/**
 * Announced to each listener when the standings of a period are final, until it has acknowledged once. It is announced
 * again, with the same `id`, if a listener rejects or takes too long, or if its process crashes, pauses for longer than
 * the lease or ends before the acknowledgement is stored.
 */
export class LeaderboardSettledEvent {
  static readonly eventName = 'leaderboard.settled';

  /** Identifies the announcement: store it to do something once. */
  readonly id: string;

  constructor(
    readonly leaderboard: string,
    /** The period's key. */
    readonly period: string,
    /** How many users are shown. */
    readonly total: number,
    /** As `SettledPeriod` has it. */
    readonly checksum: string,
    /** The first shown users, in order. */
    readonly winners: readonly Winner[],
  ) {
    this.id = `${leaderboard}:${period}`;
  }
}
