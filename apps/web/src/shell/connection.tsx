import { signal } from '@preact/signals';
import { messages } from '../language/language';
import type { Connection } from '../live/watch';
import styles from './connection.module.css';

/** How the page that is shown stands with the server; null where it does not listen. */
export const connection = signal<Connection | 'past' | null>(null);

/** Shows it. */
export function ConnectionState() {
  const state = connection.value;
  return (
    <p class={styles.connection} id="connection" data-state={state ?? 'none'} role="status">
      {state !== null && (
        <>
          <span class={styles.dot} aria-hidden="true" />
          <span>{messages.value.connection[state]}</span>
        </>
      )}
    </p>
  );
}
