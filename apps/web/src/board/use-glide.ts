import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { calm } from '../ui/calm';

interface Place {
  readonly left: number;
  readonly top: number;
}

/**
 * Lets the children of a list glide from where they were to where they are. Children are told apart by their
 * `data-key`; nothing glides to another `view`, if the list's width changed, or for users who prefer reduced motion.
 */
export function useGlide(list: RefObject<HTMLElement | null>, view: string): void {
  const last = useRef<{ view: string; width: number; places: Map<string, Place> } | null>(null);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const children = [...element.children].filter((child) => child instanceof HTMLElement);
    const places = new Map(
      children.map((child) => [child.dataset.key ?? '', { left: child.offsetLeft, top: child.offsetTop }]),
    );
    const width = element.offsetWidth;
    const before = last.current;
    last.current = { view, width, places };
    if (!before || before.view !== view || before.width !== width || calm.matches) return;
    for (const child of children) glide(child, before.places.get(child.dataset.key ?? ''), places);
  });
}

function glide(child: HTMLElement, then: Place | undefined, places: ReadonlyMap<string, Place>): void {
  const place = places.get(child.dataset.key ?? '');
  if (!place) return;
  if (!then) {
    child.animate([{ opacity: 0, transform: 'translateY(12px)' }, { opacity: 1 }], {
      duration: 450,
      easing: 'ease-out',
    });
    return;
  }
  const [dx, dy] = [then.left - place.left, then.top - place.top];
  if (dx === 0 && dy === 0) return;
  // A climbing line passes in front of a falling one.
  const zIndex = dy > 0 ? 2 : 1;
  child.animate(
    [
      { transform: `translate(${dx}px, ${dy}px)`, zIndex },
      { transform: 'none', zIndex },
    ],
    {
      duration: 700,
      easing: 'cubic-bezier(.22, 1, .36, 1)',
    },
  );
}
