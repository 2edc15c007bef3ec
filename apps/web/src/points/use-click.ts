import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../http/api-error';
import { expectPoints } from './own-points';
import { show, showFault, showOutcome } from './gains';
import type { ClickOutcome } from './outcomes';
import { session } from '../session/session';
import { pathOf, withQuery } from '../addresses/pages';

/** Something that a click does: whether it is under way, and the way to do it. */
export interface Click<Args extends readonly unknown[]> {
  readonly isBusy: boolean;
  /** Resolves with whether it was done. */
  run: (...args: Args) => Promise<boolean>;
}

/** Options of a click. `hearFault` gets null when the click is repeated; by default a fault is shown for a while. */
export interface ClickOptions {
  readonly hearFault?: (fault: ApiError | null) => void;
  /** The text for an outcome that changed nothing. Default: it counted already today. */
  readonly unchanged?: string;
}

/**
 * A click that may give points: shows the points, or why there are none, unless it resolves without an outcome. Without
 * a session, the reader is led to the sign-in page and back.
 */
export function useClick<Args extends readonly unknown[]>(
  act: (...args: Args) => Promise<ClickOutcome | undefined | void>,
  { hearFault = (fault) => fault && showFault(fault), unchanged }: ClickOptions = {},
): Click<Args> {
  const { url, route } = useLocation();
  const [isBusy, setIsBusy] = useState(false);
  async function run(...args: Args): Promise<boolean> {
    if (session.value === null) {
      route(withQuery(pathOf('signIn'), { from: url }));
      return false;
    }
    setIsBusy(true);
    hearFault(null);
    try {
      const outcome = await act(...args);
      if (outcome?.outcome === 'duplicate' && unchanged !== undefined) show({ text: unchanged, tone: 'none' });
      else if (outcome !== undefined) showOutcome(outcome);
      if (outcome !== undefined) expectPoints();
      return true;
    } catch (error) {
      const fault = asApiError(error);
      if (fault.kind === 'signIn') route(withQuery(pathOf('signIn'), { from: url }));
      else hearFault(fault);
      return false;
    } finally {
      setIsBusy(false);
    }
  }
  return { isBusy, run };
}
