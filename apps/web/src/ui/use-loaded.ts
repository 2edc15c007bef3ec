import { useCallback, useEffect, useState } from 'preact/hooks';
import type { ApiError } from '../http/api-error';
import { askUntilAnswered } from '../live/ask-until-answered';

/** Something that is read from the server. */
export interface Loaded<Value> {
  /** Null until it came. What came stays while it is read again. */
  readonly value: Value | null;
  readonly fault: ApiError | null;
  /**
   * Replaces the present value by that of a later answer. Does nothing if the present value is of something else by
   * then.
   */
  change: (next: (before: Value) => Value) => void;
  again: () => void;
}

/**
 * Reads something, anew whenever `read` is another function: pass one from `useCallback`. While the server is away, it
 * is tried again until it answers.
 */
export function useLoaded<Value>(read: (signal: AbortSignal) => Promise<Value>): Loaded<Value> {
  const [state, setState] = useState<{ value: Value | null; fault: ApiError | null; of: unknown }>({
    value: null,
    fault: null,
    of: read,
  });
  const [turn, setTurn] = useState(0);
  useEffect(
    () =>
      askUntilAnswered({
        ask: read,
        answer: (value) => setState({ value, fault: null, of: read }),
        fault: (fault) => setState((before) => ({ value: before.of === read ? before.value : null, fault, of: read })),
      }),
    [read, turn],
  );
  const change = useCallback(
    (next: (before: Value) => Value) =>
      setState((before) =>
        before.of === read && before.value !== null ? { ...before, value: next(before.value), fault: null } : before,
      ),
    [read],
  );
  const again = useCallback(() => setTurn((before) => before + 1), []);
  const { value, fault, of } = state;
  return of === read ? { value, fault, change, again } : { value: null, fault: null, change, again };
}
