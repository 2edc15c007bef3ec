import { categories, type Category } from '../language/categories';
import { messages } from '../language/language';
import { classes } from './classes';
import { useCurrentInSight } from './use-current-in-sight';
import styles from './choice.module.css';

/** Leads to all that is shown, and to each category of it. */
export function CategoryChoice({
  chosen,
  pathTo,
  class: className,
}: {
  /** Undefined: all of them. */
  chosen: Category | undefined;
  pathTo: (category: Category | undefined) => string;
  class?: string | undefined;
}) {
  const { categoryNames, category: words } = messages.value;
  const row = useCurrentInSight(chosen);
  return (
    <nav class={classes(styles.choice, className)} aria-label={words.choice} ref={row}>
      {[undefined, ...categories].map((category) => (
        <a key={category} href={pathTo(category)} aria-current={category === chosen ? 'true' : undefined}>
          {category === undefined ? words.all : categoryNames[category]}
        </a>
      ))}
    </nav>
  );
}
