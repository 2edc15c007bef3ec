import { categories, type Category } from '../language/categories';
import { messages } from '../language/language';

/** Leads to all that is shown, and to each category of it. */
export function CategoryChoice({
  chosen,
  pathTo,
}: {
  /** Undefined: all of them. */
  chosen: Category | undefined;
  pathTo: (category: Category | undefined) => string;
}) {
  const { categoryNames, category: words } = messages.value;
  return (
    <nav class="parts" aria-label={words.choice}>
      {[undefined, ...categories].map((category) => (
        <a key={category} href={pathTo(category)} aria-current={category === chosen ? 'true' : undefined}>
          {category === undefined ? words.all : categoryNames[category]}
        </a>
      ))}
    </nav>
  );
}
