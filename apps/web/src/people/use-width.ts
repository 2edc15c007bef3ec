import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** How wide an element is at the moment, in pixels; `first` until that is known. */
export function useWidth(element: RefObject<HTMLElement | null>, first: number): number {
  const [width, setWidth] = useState(first);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return undefined;
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
