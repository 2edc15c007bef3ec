import { signal } from '@preact/signals';
import { asApiError } from '../http/api-error';
import { messages } from '../language/language';
import { type ClickOutcome, type ShownOutcome, shownOutcome, shownVisit } from './outcomes';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';
import styles from './gains.module.css';

const shownMs = 5_000;
const atMost = 4;

interface Gain extends ShownOutcome {
  readonly id: number;
}

const gains = signal<readonly Gain[]>([]);
let lastId = 0;

/** Shows for a while what a click gave. */
export function showOutcome(outcome: ClickOutcome): void {
  show(shownOutcome(outcome));
}

/** Outcomes of visits that are not shown: one's own page, and a page already read today. */
const silent: ReadonlySet<string> = new Set(['ignored', 'duplicate']);

/** Shows for a while what reading a page gave, unless nobody expected anything. */
export function showVisit(outcome: ClickOutcome): void {
  if (outcome && silent.has(outcome.outcome)) return;
  show(shownVisit(outcome));
}

/** Shows for a while why a click did nothing. */
export function showFault(error: unknown): void {
  show({ text: messages.value.fault[asApiError(error).kind], tone: 'none' });
}

/** Shows a short text for a while. */
export function show(shown: ShownOutcome): void {
  const id = (lastId += 1);
  gains.value = [...gains.value, { ...shown, id }].slice(-atMost);
  setTimeout(() => {
    gains.value = gains.value.filter((gain) => gain.id !== id);
  }, shownMs);
}

/** Where they are shown. */
export function Gains() {
  return (
    <div class={styles.gains} id="gains" role="status" aria-label={messages.value.gain.region}>
      {gains.value.map(({ id, text, tone }) => (
        <p key={id} class={classes(ui.appearing, styles.note)} data-tone={tone}>
          {text}
        </p>
      ))}
    </div>
  );
}
