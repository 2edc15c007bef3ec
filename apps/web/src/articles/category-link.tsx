import { pathOf } from '../http/path-of';
import type { Category } from '../language/categories';
import { messages } from '../language/language';

/** What an article is about; leads to the others of it. */
export function CategoryLink({ category }: { category: Category }) {
  const { categoryNames } = messages.value;
  return (
    <a class="category" href={pathOf`/read?category=${category}`}>
      {categoryNames[category]}
    </a>
  );
}
