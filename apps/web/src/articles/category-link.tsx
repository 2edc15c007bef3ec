import type { Category } from '../language/categories';
import { messages } from '../language/language';
import { pathOf, withQuery } from '../addresses/pages';

/** What an article is about; leads to the others of it. */
export function CategoryLink({ category }: { category: Category }) {
  const { categoryNames } = messages.value;
  return (
    <a class="category" href={withQuery(pathOf('articles'), { category })}>
      {categoryNames[category]}
    </a>
  );
}
