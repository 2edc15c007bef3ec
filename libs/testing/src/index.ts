/**
 * For the tests of an app with `@laurel/activity`, on Jest or Vitest: a Redis, a key prefix of a test's own, a clock
 * that a test sets, and matchers. Begin with {@link TestLaurel}.
 * @module @laurel/testing
 */
import './jest-types';
export { laurelMatchers, type MatcherResult, type LaurelMatchers, type MatcherState, type Ranking } from './matchers';
export { ManualClock } from './manual-clock';
export { TestLaurel, type TestLaurelOptions, type TestedOptions } from './test-laurel';
