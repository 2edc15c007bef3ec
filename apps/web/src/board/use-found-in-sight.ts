import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { messages } from '../language/language';
import { ownId } from '../session/session';
import { announce } from '../ui/announcer';
import { calm } from '../ui/calm';
import type { Entry } from '../ranks/ranks';

/**
 * Scrolls the line of the person who was found into the middle of the window, and announces their place: once for each
 * `search`, not again when the line changes.
 */
export function useFoundInSight(list: RefObject<HTMLElement | null>, found: Entry | undefined, search: string): void {
  const last = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (!found || last.current === search) return;
    last.current = search;
    const line = list.current?.querySelector('[data-found]');
    if (line) glideTo(line);
    const { board, nobody } = messages.value;
    const { userId, user, rank, score } = found;
    const said = userId === ownId.value ? board.youAre(rank, score) : board.stands(user?.name ?? nobody, rank, score);
    announce(said, { isAnswer: true });
  });
}

/**
 * Brings a line into the middle of the window. A press ends the gliding: what moves from under the pointer before the
 * button is released gets no click.
 */
function glideTo(line: Element): void {
  line.scrollIntoView({ block: 'center', behavior: calm.matches ? 'instant' : 'smooth' });
  const over = new AbortController();
  const { signal } = over;
  const stop = () => {
    const top = scrollY;
    const stay = () => scrollTo({ top, behavior: 'instant' });
    stay();
    // The browser may be a frame ahead of what was pressed.
    requestAnimationFrame(stay);
    over.abort();
  };
  addEventListener('pointerdown', stop, { capture: true, signal });
  addEventListener('scrollend', () => over.abort(), { signal });
}
