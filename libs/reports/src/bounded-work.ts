import { ActivityError } from '@laurel/activity';

/** How long a request may compute. The commands have no such bound. */
const maxMs = 30_000;

/** Bounds requests that compute from many ledgers: one at a time on each instance, for a bounded time. */
export class BoundedWork {
  private isBusy = false;

  /**
   * @param what is computed.
   * @param command computes the same without a bound.
   */
  constructor(
    private readonly what: string,
    private readonly command: string,
  ) {}

  /** @throws ActivityError `overloaded` where another is under way, or where it takes too long. */
  async run<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const { what, command } = this;
    if (this.isBusy) {
      throw new ActivityError('overloaded', `Another ${what} is under way: try again when it has ended.`);
    }
    this.isBusy = true;
    const signal = AbortSignal.timeout(maxMs);
    try {
      return await work(signal);
    } catch (error) {
      if (!signal.aborted || error instanceof ActivityError) throw error;
      const message = `The ${what} takes longer than ${maxMs / 1_000} seconds: use the command "${command}".`;
      throw new ActivityError('overloaded', message, { cause: error });
    } finally {
      this.isBusy = false;
    }
  }
}
