import { errorTrace } from './error-trace';

/** As query builders throw: the values are in the message. */
class QueryError extends Error {
  constructor(
    readonly query: string,
    readonly params: readonly string[],
    cause: Error,
  ) {
    super(`Failed query: ${query}\nparams: ${params.join(',')}`, { cause });
  }
}

const driverError = (code: string, message = 'cannot execute') => Object.assign(new Error(message), { code });

describe('what logs tell of an error', () => {
  it("is a query's code, SQL and frames, and none of its values, though they look like frames", () => {
    const trace = errorTrace(
      new QueryError('insert into "users" values ($1)', ['Grace\n    at secret (1:1)'], driverError('25006')),
    );
    expect(trace).toMatch(
      /^A database's error, 25006 in: insert into "users" values \(\$1\)\n\s+at .*error-trace\.spec/,
    );
    expect(trace).not.toMatch(/Grace|secret|params/);
  });

  it("is a driver's code and frames, and not its words, which may hold a value", () => {
    const trace = errorTrace(driverError('22P02', 'invalid input syntax for type bigint: "hunter2"'));
    expect(trace).toMatch(/^A database's error, 22P02\n\s+at /);
    expect(trace).not.toContain('hunter2');
  });

  it('is the stack of any other, also of one with a code of the system', () => {
    for (const error of [new TypeError('no function'), driverError('EPIPE', 'write EPIPE')]) {
      expect(errorTrace(error)).toBe(error.stack);
    }
    expect(errorTrace({ password: 'hunter2' })).toBe('A value that is not an Error was thrown: object');
  });
});
