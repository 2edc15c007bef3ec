/** What most tests of the pages use. */
export { apiKey } from '../../community/support/community';
export { dayMs, minuteMs } from '../../support/clock';
export { ask, Person } from '../../community/support/person';
export { pointsOf, untilPoints } from '../../community/support/points';
export { keepScreenshot, noted, otherNotes, type PageOptions, typesKey } from './browser';
export { inspect } from './inspect';
export { pressOn, tabTo, typeInto } from './keyboard';
export { ownSite } from './site';
