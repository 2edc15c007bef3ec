import { useEffect, useRef } from 'preact/hooks';
import type { ApiError } from '../http/api-error';
import type { Query } from '../http/query';
import { type Resource, resourceOf, type Upkeep } from './resource';

/** A resource as its component sees it. */
export interface Loaded<Value> extends Pick<Resource<Value>, 'change' | 'again'> {
  /** Null until the first answer. It stays while the resource is read again. */
  readonly value: Value | null;
  readonly fault: ApiError | null;
}

const unread = { value: null, fault: null, change: () => undefined, again: () => undefined };

/** Reads a resource and keeps it up to date while the component is shown; null reads nothing. */
export function useResource<Value>(
  query: Query<Value> | null,
  { everyMs, isBrief = false }: Upkeep = {},
): Loaded<Value> {
  const resource = query && resourceOf(query);
  useEffect(() => resource?.hold({ everyMs, isBrief }), [resource, everyMs, isBrief]);
  if (resource === null) return unread;
  const { known, change, again } = resource;
  return { value: known.value, fault: known.fault, change, again };
}

/** The value or, while it is null, the last one that was not. */
export function useLast<Value>(value: Value | null): Value | null {
  const last = useRef<Value | null>(null);
  if (value !== null) last.current = value;
  return last.current;
}
