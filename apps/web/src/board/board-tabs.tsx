import type { Category } from '../language/categories';
import { messages } from '../language/language';
import { useCurrentInSight } from '../ui/use-current-in-sight';
import { boardPath, categoryOn } from './board-path';
import styles from './board-tabs.module.css';

/** The ways to the leaderboards. */
export function BoardTabs({
  names,
  shown,
  category,
}: {
  names: readonly string[];
  shown: string;
  category: Category | undefined;
}) {
  const { board: words } = messages.value;
  const tabs = useCurrentInSight(`${shown} ${names.length}`);
  return (
    <nav class={styles.tabs} aria-label={words.kinds} ref={tabs}>
      {names.map((name) => (
        <a
          key={name}
          href={boardPath({ leaderboard: name, category: categoryOn(name, category) })}
          aria-current={name === shown ? 'page' : undefined}
        >
          {words.names[name] ?? name}
        </a>
      ))}
    </nav>
  );
}
