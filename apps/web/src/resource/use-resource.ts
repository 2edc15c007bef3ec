import { useEffect, useRef } from 'preact/hooks';
import type { ApiError } from '../http/api-error';
import type { Asked } from '../http/asked';
import { type Resource, resourceOf, type Upkeep } from './resource';

/** Something that is read from the server, for a component that shows it. */
export interface Loaded<Value> extends Pick<Resource<Value>, 'change' | 'again'> {
  /** Null until it came. What came stays while it is read again. */
  readonly value: Value | null;
  readonly fault: ApiError | null;
}

const unasked = { value: null, fault: null, change: () => undefined, again: () => undefined };

/** Reads something and keeps it up to date for as long as it is shown; null: nothing. */
export function useResource<Value>(
  asked: Asked<Value> | null,
  { everyMs, isBrief = false }: Upkeep = {},
): Loaded<Value> {
  const resource = asked && resourceOf(asked);
  useEffect(() => resource?.hold({ everyMs, isBrief }), [resource, everyMs, isBrief]);
  if (resource === null) return unasked;
  const { known, change, again } = resource;
  return { value: known.value, fault: known.fault, change, again };
}

/** What there is or, until something is there again, what there was last. */
export function useLast<Value>(value: Value | null): Value | null {
  const last = useRef<Value | null>(null);
  if (value !== null) last.current = value;
  return last.current;
}
