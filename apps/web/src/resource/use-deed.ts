import { useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../http/api-error';
import { askAgain } from './resource';

/** Something that is done: whether it is under way, and what was wrong the last time. */
export interface Deed {
  readonly isBusy: boolean;
  readonly fault: ApiError | null;
  /** Resolves with whether it was done. */
  run: (act: () => Promise<unknown>) => Promise<boolean>;
}

/**
 * Runs what somebody does, one thing at a time.
 * @param changed the routes whose answers are others once it was done: what is shown of them is read again
 */
export function useDeed(...changed: readonly string[]): Deed {
  const [isBusy, setIsBusy] = useState(false);
  const [fault, setFault] = useState<ApiError | null>(null);
  async function run(act: () => Promise<unknown>): Promise<boolean> {
    setIsBusy(true);
    setFault(null);
    try {
      await act();
      askAgain(...changed);
      return true;
    } catch (error) {
      setFault(asApiError(error));
      return false;
    } finally {
      setIsBusy(false);
    }
  }
  return { isBusy, fault, run };
}
