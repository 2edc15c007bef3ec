import type { Title } from '../../core/extensions/title-source';

/** The token under which an app binds an archive. Without one, the frozen boards in Redis are the settled standings. */
export const STANDINGS_ARCHIVE = Symbol('STANDINGS_ARCHIVE');

/** One user's line in the final standings of a period. */
export interface ArchivedEntry {
  /** The ordinal rank: 1, 2, 3 … without a gap or a repetition. */
  readonly place: number;
  /** The rank that equals share, as in 1224. */
  readonly competition: number;
  /** The rank that equals share, as in 1223. */
  readonly dense: number;
  readonly userId: string;
  readonly score: number;
  /** In milliseconds; null where the board keeps no time. */
  readonly reachedAtMs: number | null;
}

/** A place that does not show: its user is kept off the leaderboards, or was erased (null). */
export interface HiddenPlace extends Pick<ArchivedEntry, 'place' | 'competition' | 'dense'> {
  readonly userId: string | null;
}

/** The title with which the user at a place was settled. */
export interface SettledTitle extends Pick<ArchivedEntry, 'place'> {
  readonly title: Title;
}

/** What is known of a settled period beside its entries. */
export interface SettledPeriod {
  /** The leaderboard; a partition is named `name/partition`. */
  readonly leaderboard: string;
  /** The period's key. */
  readonly period: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly settledAtMs: number;
  /** How many entries were archived. */
  readonly total: number;
  /** How many of them do not show; left out where all do. */
  readonly hidden?: number;
  /**
   * SHA-256, in hex, of a line `place userId score reachedAtMs\n` an entry, in order; what it holds is JSON. Of
   * everyone, as archived: those who do not show are in it, and an erasure does not change it.
   */
  readonly checksum: string;
  /** How equal scores were put in order, in words. */
  readonly tieRule: string;
  /** The version of the rules in force when it was settled. */
  readonly rulesVersion: number;
  /** Whether titles were settled with it: a user of whom none was settled has none. Left out where they were not. */
  readonly titled?: boolean;
}

/** Standings on their way into the archive: nobody sees them before they are committed, and then sees them whole. */
export interface ArchiveDraft {
  /** The next entries, in order of their places. */
  append(entries: readonly ArchivedEntry[]): Promise<void>;
  /**
   * The titles of users whose entries were appended; there is no other way to them than {@link
   * StandingsArchive.titles}.
   */
  entitle?(titles: readonly SettledTitle[]): Promise<void>;
  /** Makes the draft the period's standings, once: false where another draft of the period was committed before. */
  commit(period: SettledPeriod): Promise<boolean>;
  /** Drops it. A draft whose process died is dropped by the archive itself. */
  abandon(): Promise<void>;
}

/**
 * Keeps the final standings of settled periods. What is committed never changes, but by an erasure. Methods
 * reject where the store does not answer, and can be repeated. Standings are kept, and read, with everyone on them: the
 * module leaves out who does not show, and numbers the others. In an archive without `hide` and `hidden` everyone
 * shows.
 */
export interface StandingsArchive {
  /** Begins the standings of a period that ends at `endMs`; `expected` entries, as far as that is known. */
  begin(leaderboard: string, period: string, expected?: number, endMs?: number): Promise<ArchiveDraft>;
  /** The leaderboards and partitions that have settled periods. Default: those of the app without partitions. */
  leaderboards?(): Promise<readonly string[]>;
  /** What is known of a settled period; null where it is not settled. */
  find(leaderboard: string, period: string): Promise<SettledPeriod | null>;
  /** Settled periods, the latest first, from the one that starts before `beforeMs` on. */
  periods(
    leaderboard: string,
    options: { readonly limit: number; readonly beforeMs?: number },
  ): Promise<SettledPeriod[]>;
  /** Up to `limit` entries, passing over the first `offset`; none beyond the end or of a period that is not settled. */
  page(leaderboard: string, period: string, offset: number, limit: number): Promise<ArchivedEntry[]>;
  /** The users' entries in the order asked, null in the place of one who is not on it. */
  entries(leaderboard: string, period: string, userIds: readonly string[]): Promise<(ArchivedEntry | null)[]>;
  /**
   * A user's entries in settled periods, the latest period first; periods without the user are left out, and so are
   * those that start before `fromMs`: an archive need not look further back.
   */
  history(
    leaderboard: string,
    userId: string,
    options: { readonly limit: number; readonly beforeMs?: number; readonly fromMs?: number },
  ): Promise<{ readonly period: SettledPeriod; readonly entry: ArchivedEntry }[]>;
  /**
   * The titles with which the users were settled, in the order asked; null: none. An archive without it, whose drafts
   * need no `entitle` then, keeps no titles: those of a past period are found anew, from what there still is.
   */
  titles?(leaderboard: string, period: string, userIds: readonly string[]): Promise<(Title | null)[]>;
  /** Notes that a user does not show, or does again, in all periods, those archived later as well. */
  hide?(userId: string, isHidden: boolean): Promise<void>;
  /** The places of a period that do not show, in their order. */
  hidden?(leaderboard: string, period: string): Promise<readonly HiddenPlace[]>;
  /**
   * Drops a user's entries for good, of one period or of all periods and drafts; returns how many there were. Their
   * ranks stay, hidden and nameless: no read but `hidden` returns them. The notes of {@link hide} go only with the
   * entries of all periods.
   */
  erase?(userId: string, where?: { readonly leaderboard: string; readonly period: string }): Promise<number>;
  /** Drops the periods that are no longer kept, and returns them; a dry run only returns them. */
  prune?(options: { readonly isDryRun: boolean }): Promise<readonly SettledPeriod[]>;
}
