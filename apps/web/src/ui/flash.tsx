import type { ComponentChildren } from 'preact';

/** Points just won or lost, which rise beside the number that they changed. A reader of the page by ear hears that number. */
export function Flash({ gained, children }: { gained: number; children: ComponentChildren }) {
  return (
    <span class="flash" data-gained={gained} data-tone={gained > 0 ? 'gain' : 'loss'} aria-hidden="true">
      {children}
    </span>
  );
}
