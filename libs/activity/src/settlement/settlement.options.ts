import {
  duration,
  type EntriesOf,
  flag,
  list,
  isObject,
  nullable,
  object,
  optional,
  type OutputOf,
  read,
  type Schema,
  text,
  whole,
} from '../core/schema/schema';
import type { Visibility } from '../core/options/activity.options';
import type { ActivitySettings } from '../core/options/settings';
import { visibility } from '../core/options/values';
import type { ArchiveRetention } from './archive/standings-archive';

/** The readers who may see something of a user. */
type UserVisibility = Visibility<{ readonly userId: string; readonly viewer: string | null }>;

/** Options of `SettlementModule.forRoot`, and of a factory of `forRootAsync`. */
export interface SettlementModuleOptions {
  /**
   * Whether this instance settles; `false` leaves that to other instances. Past periods are read all the same.
   * @defaultValue `true`
   */
  readonly settles?: boolean | undefined;
  /** How often an instance looks for periods that are due. @defaultValue `10_000` */
  readonly everyMs?: number | undefined;
  /** How many winners `leaderboard.settled` names, 0 to 1,000. @defaultValue `10` */
  readonly winners?: number | undefined;
  /** Another instance goes on so long after one crashed, twice as long if its archive hangs. @defaultValue `15_000` */
  readonly leaseMs?: number | undefined;
  /**
   * Without an archive of your own: how long after its end a settled period's board stays in Redis, if its retention is
   * shorter; null: for ever. One value for all leaderboards, or by their names: `{ day: 400 * 86_400_000, month: null
   * }`.
   * @defaultValue for what is settled from now on: an hour 31 days, a day 400, a longer period 1,830 days after it was
   * settled
   */
  readonly archiveRetentionMs?: ArchiveRetention | undefined;
  /**
   * How long a listener may take for one announcement, 100 to 3,600,000; after that it is repeated later. Meanwhile the
   * listener hears of no other period.
   * @defaultValue `30_000`
   */
  readonly listenerTimeoutMs?: number | undefined;
  /**
   * Names of `@SettledListener`s that must acknowledge even before an instance with them has started. Listeners that
   * started once need not be named. @defaultValue none
   */
  readonly listeners?: readonly string[] | undefined;
  /**
   * Who sees the `points` of other users by period, and their `history` of past places; others get 401 or 403.
   * @defaultValue `all` for both
   */
  readonly visibility?: { readonly points?: UserVisibility; readonly history?: UserVisibility } | undefined;
}

/** The names that a listener may have. */
export const listenerNamePattern = /^[a-z0-9][a-z0-9_-]{0,31}$/;

/** The allowed names, in words. */
export const listenerNameAllowed = '1 to 32 of a-z, 0-9, "-" and "_", the first a letter or a digit';

/** One for all leaderboards, or for each of them. */
const archiveRetention = (leaderboards: readonly string[]): Schema<ArchiveRetention> => {
  const kept = nullable(duration);
  const byName = object(Object.fromEntries(leaderboards.map((name) => [name, optional(kept)])));
  return (given, place) => (isObject(given) ? (byName(given, place) as ArchiveRetention) : kept(given, place));
};

const settlement = (leaderboards: readonly string[]) =>
  object({
    settles: optional(flag, true),
    everyMs: optional(whole(10, 86_400_000), 10_000),
    winners: optional(whole(0, 1_000), 10),
    leaseMs: optional(whole(200, 600_000), 15_000),
    archiveRetentionMs: optional(archiveRetention(leaderboards)),
    listenerTimeoutMs: optional(whole(100, 3_600_000), 30_000),
    listeners: optional(
      list(text(listenerNamePattern, listenerNameAllowed), { unique: [{ advice: 'name each listener once' }] }),
      [],
    ),
    visibility: optional(object({ points: optional(visibility(), 'all'), history: optional(visibility(), 'all') }), {}),
  } satisfies EntriesOf<SettlementModuleOptions>);

/** {@link SettlementModuleOptions} with every default filled in. */
export type SettlementSettings = OutputOf<ReturnType<typeof settlement>>;

/** Injects the {@link SettlementSettings}. */
export const SETTLEMENT_SETTINGS = Symbol('SETTLEMENT_SETTINGS');

/** @throws ActivityError `invalidOption` */
export const resolveSettlement = (
  options: SettlementModuleOptions,
  { leaderboards }: Pick<ActivitySettings, 'leaderboards'>,
): SettlementSettings => read(settlement(leaderboards.map(({ name }) => name)), options, 'SettlementModule');
