import { categories, type Category } from '../../../community/src/categories/categories';
import type { Chance } from '../chance/chance';
import { texts } from './texts';

/** An article to be written. */
export interface Writing {
  readonly title: string;
  readonly category: Category;
}

/** What each category's titles are made of: of each subject one in each form. */
const parts: Readonly<Record<Category, { readonly forms: readonly string[]; readonly subjects: readonly string[] }>> = {
  technology: {
    forms: [
      'How * keep their order',
      'What * taught me about patience',
      '*, measured at last',
      'The quiet history of *',
      'In praise of boring *',
      'When * fail, and how to love it',
      'A field guide to *',
      'Nobody reads about *, so I did',
      '* without tears',
      'Three mistakes with *',
    ],
    subjects: [
      'sorted sets',
      'clocks',
      'caches',
      'queues',
      'indexes',
      'compilers',
      'hash tables',
      'schedulers',
      'type systems',
      'backups',
      'merge conflicts',
      'log files',
    ],
  },
  science: {
    forms: [
      'How far * reach',
      'Counting * exactly once',
      '*: what we know, and what we guess',
      'A short walk among *',
      'Measured twice, believed once: *',
      'The oldest notes on *',
      'Why * come in threes',
      'Five questions about *',
      'Looking at * with a borrowed lens',
      'The trouble with *',
    ],
    subjects: [
      'seconds',
      'tides',
      'prime numbers',
      'comets',
      'snowflakes',
      'lichens',
      'eclipses',
      'magnets',
      'bird songs',
      'volcanoes',
      'shadows',
      'time zones',
    ],
  },
  arts: {
    forms: [
      'Drawing *',
      'A poem for *',
      'What painters know of *',
      '* in eighty columns',
      'The colour of *',
      'An evening with *',
      'How to listen to *',
      '* as a form of travel',
      'Against *, with love',
      'Small songs about *',
    ],
    subjects: [
      'old maps',
      'empty stages',
      'typefaces',
      'stone bridges',
      'string quartets',
      'paper cranes',
      'street lamps',
      'first sentences',
      'puppets',
      'winter light',
      'library stairs',
      'unfinished novels',
    ],
  },
  life: {
    forms: [
      'Notes from a week without *',
      'A kind word for *',
      'My grandmother on *',
      'What * are for',
      'Learning to like *',
      'The year I gave up *',
      'Letters about *',
      '* before breakfast',
      'How we shared *',
      'Sundays and *',
    ],
    subjects: [
      'meetings',
      'boring breakfasts',
      'night trains',
      'borrowed bicycles',
      'tomatoes',
      'long lists',
      'neighbours',
      'lost keys',
      'slow mornings',
      'recipes',
      'umbrellas',
      'second-hand chairs',
    ],
  },
  sports: {
    forms: [
      '*, and who was there first',
      'Why * end after their winners',
      'The last lap of *',
      'Training for *',
      'A referee remembers *',
      'What * do to the mind',
      'The arithmetic of *',
      'Losing at *, a memoir',
      '* in the rain',
      'Beginners at *',
    ],
    subjects: [
      'marathons',
      'chess boards',
      'ski jumps',
      'relay races',
      'table tennis',
      'rowing clubs',
      'penalty kicks',
      'swimming lanes',
      'climbing walls',
      'curling stones',
      'cycling tours',
      'orienteering maps',
    ],
  },
  general: {
    forms: [
      'Things I looked up about *',
      'Pages nobody visits: *',
      'An honest list of *',
      '* are hard',
      'Everything I was wrong about: *',
      'A newcomer asks about *',
      'The etiquette of *',
      'Who invented *?',
      'Ten minutes on *',
      'Yours sincerely, about *',
    ],
    subjects: [
      'names',
      'postcards',
      'elevators',
      'calendars',
      'silence',
      'crosswords',
      'doorbells',
      'passwords',
      'footnotes',
      'waiting rooms',
      'maps',
      'apologies',
    ],
  },
};

/** Every article there may be, no two with one title, in an order that the chance draws. */
export function allWritings(chance: Chance): Writing[] {
  const all = categories.flatMap((category) => {
    const { forms, subjects } = parts[category];
    return forms.flatMap((form) => subjects.map((subject) => ({ title: titleOf(form, subject), category })));
  });
  return all
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
  return texts[category][title.length % texts[category].length] ?? title;
}
