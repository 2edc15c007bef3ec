import type { Category } from '../categories/categories';

/** An article to be written. */
export interface Writing {
  readonly title: string;
  readonly category: Category;
}

/** The demo's inhabitants: pioneers of computing, and names that a careless page would trip over. */
export const names = [
  'Ada Lovelace',
  'Grace Hopper',
  'Alan Turing',
  'Katherine Johnson',
  'Edsger Dijkstra',
  'Barbara Liskov',
  'Donald Knuth',
  'Radia Perlman',
  'Margaret Hamilton',
  'Dennis Ritchie',
  'Frances Allen',
  'Tony Hoare',
  'Hedy Lamarr',
  'Niklaus Wirth',
  'Karen Spärck Jones',
  'Claude Shannon',
  '姚期智',
  'Андрей Ершов',
  'Sophie Wilson',
  'John McCarthy',
  'Adele Goldberg',
  'Ken Thompson',
  'Mary Kenneth Keller',
  'Guido <van> Rossum',
] as const;

/** What some of them say of themselves. */
export const texts = [
  'Notes on engines, with notes on the notes.',
  'It is easier to ask forgiveness.',
  'Can machines think? Ask me on Monday.',
  'I count everything.',
  'Elegance is not a dispensable luxury.',
  '<b>Not</b> bold at all.',
] as const;

/** What they write about, and under which category. The first ones have all categories alike. */
export const writings = [
  { title: 'How a sorted set keeps its order', category: 'technology' },
  { title: 'What a day is, in every time zone', category: 'science' },
  { title: 'Reading code as a form of travel', category: 'arts' },
  { title: 'Notes from a week without meetings', category: 'life' },
  { title: 'Ties, and who was there first', category: 'sports' },
  { title: 'Pages nobody visits', category: 'general' },
  { title: 'Fifty-three honest bits', category: 'technology' },
  { title: 'Clocks, and other unreliable narrators', category: 'science' },
  { title: 'The quiet art of the index', category: 'arts' },
  { title: 'What the debugger taught me about patience', category: 'life' },
  { title: 'The smallest useful leaderboard', category: 'sports' },
  { title: 'Names are hard, and so is 23:59:59.999', category: 'general' },
  { title: 'On counting things exactly once', category: 'technology' },
  { title: 'How far a second reaches', category: 'science' },
  { title: 'A poem in eighty columns', category: 'arts' },
  { title: 'A kind word for boring breakfasts', category: 'life' },
  { title: 'Why marathons end after their winners', category: 'sports' },
  { title: 'Things I looked up today', category: 'general' },
  { title: 'A cache is a promise', category: 'technology' },
  { title: 'Measured twice, believed once', category: 'science' },
  { title: 'Drawing with twelve colours', category: 'arts' },
  { title: 'Why my queue was never empty', category: 'life' },
  { title: 'The last lap is a distributed system', category: 'sports' },
  { title: 'Late events and how to love them', category: 'technology' },
] as const satisfies readonly Writing[];

/** What they say to each other. */
export const remarks = [
  'Well said.',
  'I had never looked at it this way.',
  'The second half convinced me.',
  'Have you measured it?',
  'Bookmarked for the weekend.',
  'Thank you for writing this down.',
  'I would have ended on the example.',
  'This is the page I needed last week.',
] as const;

/** An article's text. */
export function bodyFor(title: string): string {
  return `${title}.\n\nThis is an article of the demo. Praise it, collect it, comment on it, and watch the ranks move.`;
}
