import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** For a row of links that may be wider than the window: scrolls the current one into sight, anew for each `shown`. */
export function useCurrentInSight(shown: unknown): RefObject<HTMLElement | null> {
  const row = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const current = row.current?.querySelector('[aria-current]')?.getBoundingClientRect();
    const all = row.current?.getBoundingClientRect();
    if (current && all) row.current?.scrollBy({ left: current.left + current.width / 2 - all.left - all.width / 2 });
  }, [shown]);
  return row;
}
