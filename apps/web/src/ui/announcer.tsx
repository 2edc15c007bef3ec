import { signal } from '@preact/signals';

/** A reader by ear is told no more often than this. */
const atMostEveryMs = 5_000;

const spoken = signal('');
let waiting: string | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says something to readers by ear; of what comes too fast only the latest is said. */
export function announce(text: string): void {
  if (timer !== undefined) {
    waiting = text;
    return;
  }
  spoken.value = text;
  timer = setTimeout(() => {
    timer = undefined;
    const next = waiting;
    waiting = null;
    if (next !== null) announce(next);
  }, atMostEveryMs);
}

/** Where the announcements stand. */
export function Announcer() {
  return (
    <p class="only-heard" aria-live="polite" id="announcement">
      {spoken.value}
    </p>
  );
}
