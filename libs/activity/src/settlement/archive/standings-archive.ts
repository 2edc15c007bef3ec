import { answerWithin, within } from '../../core/deadlines/deadline';
import { ActivityError } from '../../core/errors/errors';
import type { Title } from '../../core/extensions/standings';
import type { ActivitySettings } from '../../core/options/settings';
import { isStoreFault } from '../../core/redis/run-in-redis';

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

/** A hidden place: its user is excluded, or was erased (null). */
export interface HiddenPlace extends Pick<ArchivedEntry, 'place' | 'competition' | 'dense'> {
  readonly userId: string | null;
  /** Whether a user with the same score is shown: where none is, dense ranks behind it close up. */
  readonly isScoreShown: boolean;
}

/** The title with which the user at a place was settled. */
export interface SettledTitle extends Pick<ArchivedEntry, 'place'> {
  readonly title: Title;
}

/** A settled period, without its entries. */
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
  /** How many of them are hidden; left out if none is. */
  readonly hidden?: number;
  /**
   * SHA-256, in hex, of a line `place userId score reachedAtMs\n` for each entry, in order, in JSON. It covers all
   * archived users, hidden ones too, and an erasure does not change it.
   */
  readonly checksum: string;
  /** How equal scores were put in order, in words. */
  readonly tieRule: string;
  /** The version of the rules in force when it was settled. */
  readonly rulesVersion: number;
  /** True if titles were settled with it: users without one have none. Left out if they were not. */
  readonly titled?: boolean;
}

/** Standings that are being archived: no read sees them before they are committed, as a whole. */
export interface ArchiveDraft {
  /** The next entries, in order of their places. */
  append(entries: readonly ArchivedEntry[]): Promise<void>;
  /** Stores the titles of users whose entries were appended; {@link StandingsArchive.titles} reads them. */
  entitle?(titles: readonly SettledTitle[]): Promise<void>;
  /** Makes the draft the period's standings, once: false if another draft of the period was committed before. */
  commit(period: SettledPeriod): Promise<boolean>;
  /** Drops it. The archive itself drops the drafts of crashed processes. */
  abandon(): Promise<void>;
}

/**
 * Stores the final standings of settled periods. Only an erasure changes committed ones. Methods reject if the store
 * does not answer, and can be repeated. Standings are stored and read with all users: the module leaves out hidden
 * ones, and numbers the others. In an archive without `hide` and `hidden` all users are shown.
 */
export interface StandingsArchive {
  /** Begins a draft of a period that ends at `endMs`. */
  begin(leaderboard: string, period: string, endMs?: number): Promise<ArchiveDraft>;
  /** The leaderboards and partitions that have settled periods. Default: those of the app without partitions. */
  leaderboards?(): Promise<readonly string[]>;
  /** A settled period; null if it is not settled. */
  find(leaderboard: string, period: string): Promise<SettledPeriod | null>;
  /** Settled periods, the latest first, from the one that starts before `beforeMs` on. */
  periods(
    leaderboard: string,
    options: { readonly limit: number; readonly beforeMs?: number },
  ): Promise<SettledPeriod[]>;
  /** Up to `limit` entries, passing over the first `offset`; none beyond the end or of a period that is not settled. */
  page(leaderboard: string, period: string, offset: number, limit: number): Promise<ArchivedEntry[]>;
  /** The users' entries in the order asked, null for users who are not on it. */
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
   * The titles with which the users were settled, in the order asked; null: none. Optional, together with `entitle` of
   * drafts: without it, titles of past periods are found anew, from the data that is left.
   */
  titles?(leaderboard: string, period: string, userIds: readonly string[]): Promise<(Title | null)[]>;
  /** Hides a user, or shows them again, in all periods, those archived later as well. */
  hide?(userId: string, isHidden: boolean): Promise<void>;
  /** The hidden places of a period, in their order. */
  hidden?(leaderboard: string, period: string): Promise<readonly HiddenPlace[]>;
  /**
   * Drops a user's entries for good, of one period or of all periods and drafts; returns how many there were. Their
   * places stay hidden, without a user: only `hidden` returns them. What {@link hide} stored is dropped only with the
   * entries of all periods.
   */
  erase?(userId: string, where?: { readonly leaderboard: string; readonly period: string }): Promise<number>;
  /** Drops the periods that are no longer kept, and returns them; a dry run only returns them. */
  prune?(options: { readonly isDryRun: boolean }): Promise<readonly SettledPeriod[]>;
}

/**
 * How long after its end a period stays in the archive, in milliseconds; null keeps it. Of all leaderboards, or of each
 * that is named: the others have the default.
 */
export type ArchiveRetention = number | null | Readonly<Record<string, number | null>>;

/**
 * Runs a read of the archive.
 * @throws ActivityError `unavailable` where the archive does not answer within `commandTimeoutMs`.
 */
export async function readArchive<T>(
  { commandTimeoutMs }: Pick<ActivitySettings, 'commandTimeoutMs'>,
  work: () => Promise<T>,
): Promise<T> {
  const away = (why: string, options?: ErrorOptions) =>
    new ActivityError('unavailable', `The archive of standings ${why}: try again in a moment.`, options);
  try {
    return await within(commandTimeoutMs, work(), () => {
      throw away('did not answer in time');
    });
  } catch (cause) {
    throw isStoreFault(cause) ? away('could not answer', { cause }) : cause;
  }
}

/** An archive, or a draft of it, whose calls fail after a time: one that hung would keep all periods from settling. */
export function inTime<Store extends object>(store: Store, ms: number): Store {
  const get = (_: Store, name: string | symbol): unknown => {
    const call: unknown = Reflect.get(store, name);
    if (typeof call !== 'function') return call;
    return async (...given: unknown[]) => {
      const answer = await answerWithin(ms, 'archive', () => Reflect.apply(call, store, given) as unknown);
      return name === 'begin' ? inTime(answer as object, ms) : answer;
    };
  };
  return new Proxy(store, { get });
}
