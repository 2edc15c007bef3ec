import type { ComponentChildren, Ref } from 'preact';
import styles from './card-table.module.css';

/** Scrolls by itself where its content is wider than its card. */
export function Scroller({
  name,
  place = null,
  children,
}: {
  /** The title of the card has the id `<name>-title`. */
  name: string;
  place?: Ref<HTMLDivElement>;
  children: ComponentChildren;
}) {
  return (
    <div class={styles.scroller} ref={place} tabIndex={0} role="group" aria-labelledby={`${name}-title`}>
      {children}
    </div>
  );
}

/** A table in a card. */
export function CardTable({
  name,
  heads,
  children,
}: {
  name: string;
  heads: readonly string[];
  children: ComponentChildren;
}) {
  return (
    <Scroller name={name}>
      <table class={styles.table}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </Scroller>
  );
}
