import type { ComponentChildren } from 'preact';
import type { Title } from '../ranks/ranks';
import { messages } from '../language/language';
import { classes } from './classes';
import styles from './title-chip.module.css';

/** A word or two beside a name. */
export function Chip({
  title,
  class: className,
  children,
}: {
  /** The id of the title that it tells. */
  title?: string;
  class?: string | undefined;
  children: ComponentChildren;
}) {
  return (
    <span class={classes(styles.chip, className)} data-title={title}>
      {children}
    </span>
  );
}

/** A title, in the reader's language where it is one of the ready ones. */
export function TitleChip({
  title,
  class: className,
}: {
  title: Title | null | undefined;
  class?: string | undefined;
}) {
  if (!title) return null;
  return (
    <Chip title={title.id} class={className}>
      {messages.value.titles[title.id] ?? title.name}
    </Chip>
  );
}
