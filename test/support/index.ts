/** What most tests of a Redis use; what loads more is imported from its own file. */
export { dayMs, hourMs, ManualClock } from './clock';
export { afterThisTest } from './endings';
export { keysLike } from './keys-like';
export { mentions } from './mentions';
export { CountingRedis, countingRedis, freshPrefix, testRedis, testRedisUrl } from './redis';
export { waitUntil } from './wait-until';
