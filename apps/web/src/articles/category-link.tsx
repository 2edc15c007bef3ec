import type { Category } from '../language/categories';
import { messages } from '../language/language';
import { pathOf, withQuery } from '../addresses/pages';
import styles from './category-link.module.css';

/** An article's category; leads to its other articles. */
export function CategoryLink({ category }: { category: Category }) {
  const { categoryNames } = messages.value;
  return (
    <a class={styles.category} href={withQuery(pathOf('articles'), { category })}>
      {categoryNames[category]}
    </a>
  );
}
