import type { Category } from '../language/categories';
import { messages } from '../language/language';
import { pathOf, withQuery } from '../addresses/pages';
import styles from './category-link.module.css';

/** What an article is about; leads to the others of it. */
export function CategoryLink({ category }: { category: Category }) {
  const { categoryNames } = messages.value;
  return (
    <a class={styles.category} href={withQuery(pathOf('articles'), { category })}>
      {categoryNames[category]}
    </a>
  );
}
