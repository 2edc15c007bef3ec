import { checkedKeys, checkedWhole } from '../errors/check';

/** How `GET /ranks/:leaderboard/stream` is served. */
export interface StreamConfig {
  /** How often a board with listeners is read, and so the most often that they are told, 100 to 60,000. Default 1,000. */
  readonly everyMs?: number;
  /** How long a stream may be silent before a comment is sent, so that nobody on the way gives it up. Default 15,000. */
  readonly heartbeatMs?: number;
  /** How long a listener may take nothing in before he is let go, 1,000 to 3,600,000. Default 60,000. */
  readonly stalledMs?: number;
  /** The most listeners of this process; more are answered 503. Default 10,000. */
  readonly maxListeners?: number;
  /** The most of one address; more are answered 429. Default 200: many may share an address. */
  readonly maxPerAddress?: number;
  /** The most of one signed-in user; more are answered 429. Default 20. */
  readonly maxPerUser?: number;
}

/** A {@link StreamConfig} with every default filled in. */
export type StreamSettings = Required<StreamConfig>;

const names = [
  'everyMs',
  'heartbeatMs',
  'stalledMs',
  'maxListeners',
  'maxPerAddress',
  'maxPerUser',
] satisfies (keyof StreamConfig)[];

/** @throws ActivityError `invalidOption` */
export function resolveStreams(config: StreamConfig = {}): StreamSettings {
  checkedKeys('streams', config, names);
  const { everyMs = 1_000, heartbeatMs = 15_000, stalledMs = 60_000 } = config;
  const { maxListeners = 10_000, maxPerAddress = 200, maxPerUser = 20 } = config;
  return Object.freeze({
    everyMs: checkedWhole('streams.everyMs', everyMs, [100, 60_000]),
    heartbeatMs: checkedWhole('streams.heartbeatMs', heartbeatMs, [100, 3_600_000]),
    stalledMs: checkedWhole('streams.stalledMs', stalledMs, [1_000, 3_600_000]),
    maxListeners: checkedWhole('streams.maxListeners', maxListeners, [0, 1_000_000]),
    maxPerAddress: checkedWhole('streams.maxPerAddress', maxPerAddress, [1, 1_000_000]),
    maxPerUser: checkedWhole('streams.maxPerUser', maxPerUser, [1, 1_000_000]),
  });
}
