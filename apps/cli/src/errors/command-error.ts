/** Exit code of a program that ended on SIGINT, as shells have it. */
export const interruptedExitCode = 130;

/** Exit code of a command that found no data to work on: a nightly job must not take that for "no differences". */
export const nothingFoundExitCode = 2;

/** An error that ends a command; the operator reads its message alone: no stack, no code. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(message: string, options: { readonly cause?: unknown; readonly exitCode?: number } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.exitCode = options.exitCode ?? 1;
  }

  readonly exitCode: number;
}
