import { checkedKeys, checkedWhole } from '../errors/check';

/** What `LiveModule.forRoot` takes: how `GET /ranks/:leaderboard/stream` is served. */
export interface LiveModuleOptions {
  /** How often a board with clients is read, and so the most often that they are sent events, 100 to 60,000. Default 1,000. */
  readonly everyMs?: number | undefined;
  /** How long a stream may be silent before a comment is sent, so that no proxy closes it. Default 15,000. */
  readonly heartbeatMs?: number | undefined;
  /** How long a client may take nothing in before its stream is closed, 1,000 to 3,600,000. Default 60,000. */
  readonly stalledMs?: number | undefined;
  /** The most clients of this process; more are answered 503. Default 10,000. */
  readonly maxListeners?: number | undefined;
  /** The most of one address; more are answered 429. Default 200, as many users may share an address. */
  readonly maxPerAddress?: number | undefined;
  /** The most of one signed-in user; more are answered 429. Default 20. */
  readonly maxPerUser?: number | undefined;
}

/** {@link LiveModuleOptions} with every default filled in. */
export type LiveSettings = Readonly<Record<keyof LiveModuleOptions, number>>;

/** Injects the {@link LiveSettings}. */
export const LIVE_SETTINGS = Symbol('LIVE_SETTINGS');

const names = [
  'everyMs',
  'heartbeatMs',
  'stalledMs',
  'maxListeners',
  'maxPerAddress',
  'maxPerUser',
] satisfies (keyof LiveModuleOptions)[];

/** @throws ActivityError `invalidOption` */
export function resolveLive(options: LiveModuleOptions): LiveSettings {
  checkedKeys('LiveModule', options, names);
  const { everyMs = 1_000, heartbeatMs = 15_000, stalledMs = 60_000 } = options;
  const { maxListeners = 10_000, maxPerAddress = 200, maxPerUser = 20 } = options;
  return Object.freeze({
    everyMs: checkedWhole('LiveModule.everyMs', everyMs, [100, 60_000]),
    heartbeatMs: checkedWhole('LiveModule.heartbeatMs', heartbeatMs, [100, 3_600_000]),
    stalledMs: checkedWhole('LiveModule.stalledMs', stalledMs, [1_000, 3_600_000]),
    maxListeners: checkedWhole('LiveModule.maxListeners', maxListeners, [0, 1_000_000]),
    maxPerAddress: checkedWhole('LiveModule.maxPerAddress', maxPerAddress, [1, 1_000_000]),
    maxPerUser: checkedWhole('LiveModule.maxPerUser', maxPerUser, [1, 1_000_000]),
  });
}
