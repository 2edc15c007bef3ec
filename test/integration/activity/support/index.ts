/** What most tests of an app use. */
export type { AllOptions } from '../../../support/activity-imports';
export { dayMs, hourMs, ManualClock, minuteMs } from '../../../support/clock';
export { afterThisTest } from '../../../support/endings';
export { keysLike } from '../../../support/keys-like';
export { mentions } from '../../../support/mentions';
export { CountingRedis, countingRedis, freshPrefix, testRedis, testRedisUrl } from '../../../support/redis';
export { waitUntil } from '../../../support/wait-until';
export { directoryOf } from './directory-of';
export { eraseUser } from './erase-user';
export { hostileNames } from './hostile-names';
export type { ProblemBody } from './problem-body';
export {
  allBoard,
  apiKey,
  dayBoard,
  monthBoard,
  oneTinyApp,
  platforms,
  stopTinyApps,
  TinyApp,
  type TinyAppOptions,
  withKey,
} from './tiny-app';
