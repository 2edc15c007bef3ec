import type { ComponentChildren } from 'preact';
import { classes } from './classes';
import styles from './flash.module.css';

/** Points just won or lost, which rise beside the number that they changed; readers by ear hear that number alone. */
export function Flash({
  gained,
  class: className,
  children,
}: {
  gained: number;
  class?: string | undefined;
  children: ComponentChildren;
}) {
  return (
    <span
      class={classes(styles.flash, className)}
      data-gained={gained}
      data-tone={gained > 0 ? 'gain' : 'loss'}
      aria-hidden="true"
    >
      {children}
    </span>
  );
}
