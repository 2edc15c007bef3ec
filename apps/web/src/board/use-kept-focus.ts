import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** Keeps the focus where it is when lines of a list change places: a node that is moved loses it. */
export function useKeptFocus(list: RefObject<HTMLElement | null>): void {
  const focused = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const abort = new AbortController();
    const { signal } = abort;
    element.addEventListener('focusin', ({ target }) => (focused.current = target as HTMLElement), { signal });
    // A click or a Tab elsewhere names where the focus goes; a move does not.
    element.addEventListener('focusout', ({ relatedTarget }) => relatedTarget && (focused.current = null), { signal });
    document.addEventListener('pointerdown', () => (focused.current = null), { signal, capture: true });
    return () => abort.abort();
  }, [list]);
  useLayoutEffect(() => {
    const { current } = focused;
    if (current && document.activeElement === document.body && list.current?.contains(current)) {
      current.focus({ preventScroll: true });
    }
  });
}
