import type { ArchivedEntry } from './standings-archive';

/**
 * Announced once for each settled period, when its standings are in the archive. Listeners are awaited; where one rejects,
 * or the process dies before that was noted, it is announced again with the same `id`.
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
    readonly winners: readonly ArchivedEntry[],
  ) {
    this.id = `${leaderboard}:${period}`;
  }
}
