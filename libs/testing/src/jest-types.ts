import type { LaurelMatchers } from './matchers';

declare global {
  // The names and parameters are those of @types/jest; where it is not installed, nobody reads them.
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace jest {
    // eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unused-vars
    interface Matchers<R, T = {}> extends LaurelMatchers<R> {}
  }
}
