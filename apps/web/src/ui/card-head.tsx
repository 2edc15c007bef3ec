import type { ComponentChildren } from 'preact';
import styles from './card-head.module.css';

/** The title of a card or a page, and at its other end what can be done there. */
export function CardHead({ children }: { children: ComponentChildren }) {
  return <div class={styles.head}>{children}</div>;
}
