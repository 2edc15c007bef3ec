/** What most tests of the community use. */
export { ManualClock } from '../../support/clock';
export { freshPrefix, testRedis, testRedisUrl } from '../../support/redis';
export { waitUntil } from '../../support/wait-until';
export { announced } from './announced';
export { apiKey, authSecret, ownCommunity, type OwnCommunity, TestCommunity } from './community';
export { erase, failToErase } from './erase';
export { ask, metricOf, Person } from './person';
export { pointsOf, untilPoints } from './points';
