import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Category } from '../language/categories';
import { messages } from '../language/language';
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
  const tabs = useRef<HTMLElement>(null);
  // Where they are wider than the window the one that is shown is in sight.
  useLayoutEffect(() => {
    const here = tabs.current?.querySelector('[aria-current]')?.getBoundingClientRect();
    const all = tabs.current?.getBoundingClientRect();
    if (here && all) tabs.current?.scrollBy({ left: here.left + here.width / 2 - all.left - all.width / 2 });
  }, [shown, names.length]);
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
