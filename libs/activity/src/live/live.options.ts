import { type EntriesOf, object, optional, type OutputOf, read, whole } from '../core/schema/schema';

/** Options of `LiveModule.forRoot`: how `GET /ranks/:leaderboard/stream` is served. */
export interface LiveModuleOptions {
  /**
   * How often a board with clients is read: they get no more than one event in that time, 100 to 60,000.
   * @defaultValue `1_000`
   */
  readonly everyMs?: number | undefined;
  /** How long a stream may be silent; then a comment keeps proxies from closing it. @defaultValue `15_000` */
  readonly heartbeatMs?: number | undefined;
  /** After how long its stream is closed if a client reads nothing, 1,000 to 3,600,000. @defaultValue `60_000` */
  readonly stalledMs?: number | undefined;
  /** The most clients of this process; more are answered 503. @defaultValue `10_000` */
  readonly maxListeners?: number | undefined;
  /** The most clients of one address, which users may share; more are answered 429. @defaultValue `200` */
  readonly maxPerAddress?: number | undefined;
  /** The most clients of one signed-in user; more are answered 429. @defaultValue `20` */
  readonly maxPerUser?: number | undefined;
}

const live = object({
  everyMs: optional(whole(100, 60_000), 1_000),
  heartbeatMs: optional(whole(100, 3_600_000), 15_000),
  stalledMs: optional(whole(1_000, 3_600_000), 60_000),
  maxListeners: optional(whole(0, 1_000_000), 10_000),
  maxPerAddress: optional(whole(1, 1_000_000), 200),
  maxPerUser: optional(whole(1, 1_000_000), 20),
} satisfies EntriesOf<LiveModuleOptions>);

/** {@link LiveModuleOptions} with every default filled in. */
export type LiveSettings = OutputOf<typeof live>;

/** Injects the {@link LiveSettings}. */
export const LIVE_SETTINGS = Symbol('LIVE_SETTINGS');

/** @throws ActivityError `invalidOption` */
export const resolveLive = (options: LiveModuleOptions): LiveSettings => read(live, options, 'LiveModule');
