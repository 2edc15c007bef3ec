import type { LaurelMatchers } from './matchers';

declare global {
  // The names and parameters are those of @types/jest; where it is not installed, nobody reads them.
  // oxlint-disable-next-line typescript/no-namespace
  namespace jest {
    // oxlint-disable-next-line typescript/no-empty-object-type
    interface Matchers<R, T = {}> extends LaurelMatchers<R> {}
  }
}
