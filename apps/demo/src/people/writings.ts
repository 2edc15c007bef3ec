import { categories, type Category } from '../../../community/src/categories/categories';
import type { Chance } from '../chance/chance';
import { topics } from './texts';

/** An article to be written. */
export interface Writing {
  readonly title: string;
  readonly category: Category;
}

/** The possible titles of articles: each form with each subject. */
const forms = [
  '*, measured at last',
  'A field guide to *',
  'Against *, with love',
  'An evening with *',
  'Everything I was wrong about: *',
  'In praise of boring *',
  'My grandmother on *',
  'The quiet history of *',
  'Three mistakes with *',
  '* without tears',
];

/** Every article there may be, no two with one title, in an order that the chance draws. */
export function allWritings(chance: Chance): Writing[] {
  return categories
    .flatMap((category) => {
      const subjects = topics[category].subjects.split(', ');
      return forms.flatMap((form) => subjects.map((subject) => ({ title: titleOf(form, subject), category })));
    })
    .map((writing) => ({ writing, at: chance.draw() }))
    .sort((a, b) => a.at - b.at)
    .map(({ writing }) => writing);
}

function titleOf(form: string, subject: string): string {
  const title = form.replace('*', subject);
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** An article's text: by its title, which of its category's. */
export function bodyFor({ title, category }: Writing): string {
  const { texts } = topics[category];
  return texts[title.length % texts.length] ?? title;
}
