import type { Title } from '../core/extensions/title-source';
import type { ArchivedEntry } from './archive/standings-archive';

/** One of the first of a settled period. */
export interface Winner extends ArchivedEntry {
  /** The title that they won; null: none. Left out where no titles were settled with the period. */
  readonly title?: Title | null;
}

/**
 * Announced for each settled period, when its standings are final, to each listener until it has acknowledged
 * once. It is announced again, with the same `id`, where a listener rejects or takes too long, and where its process
 * dies, is paused for longer than the lease or ends before the acknowledgement is noted.
 */
export class LeaderboardSettledEvent {
  static readonly eventName = 'leaderboard.settled';

  /** Names the announcement: who does something once for it remembers this. */
  readonly id: string;

  constructor(
    readonly leaderboard: string,
    /** The period's key. */
    readonly period: string,
    /** How many entries show. */
    readonly total: number,
    /** As `SettledPeriod` has it. */
    readonly checksum: string,
    /** The first of those who show, in order. */
    readonly winners: readonly Winner[],
  ) {
    this.id = `${leaderboard}:${period}`;
  }
}
