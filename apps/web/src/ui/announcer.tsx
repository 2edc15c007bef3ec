import { signal } from '@preact/signals';
import ui from './pieces.module.css';

/** A reader by ear is told no more often than this. */
const atMostEveryMs = 5_000;

/** `times` makes of the same words another announcement. */
const spoken = signal({ text: '', times: 0 });
let waiting: string | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Says something to readers by ear; of what comes too fast only the latest is said.
 * @param isAnswer it answers what the reader just did, and does not wait.
 */
export function announce(text: string, { isAnswer = false }: { readonly isAnswer?: boolean } = {}): void {
  if (timer !== undefined && !isAnswer) {
    waiting = text;
    return;
  }
  clearTimeout(timer);
  spoken.value = { text, times: spoken.value.times + 1 };
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
    <p class={ui.onlyHeard} aria-live="polite" id="announcement">
      <span key={spoken.value.times}>{spoken.value.text}</span>
    </p>
  );
}
