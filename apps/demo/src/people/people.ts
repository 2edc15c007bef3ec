import type { Category } from '../../../community/src/categories/categories';
import type { HabitName } from './habits';

/** A person's role, if it is not the usual one. */
export type Part =
  /** Reads more on some days than limits let count. */
  | 'farmer'
  /** Praises a few others, and is praised by them alone: held for review. */
  | 'ring'
  /** Left, and was erased. */
  | 'left';

/** Somebody of the demo. */
export interface Inhabitant {
  readonly name: string;
  /** The category that they read and write about most. */
  readonly interest: Category;
  readonly habit: HabitName;
  /** How many days before the demo's first day they joined; the others were there from the beginning. */
  readonly joinedDaysAgo?: number;
  readonly part?: Part;
  /** Their text about themselves. */
  readonly text?: string;
}

/** The one whose name and password the demo prints, for others to look through their eyes. */
export const guide = 'Ada Lovelace';

/** When who left did so, and when the ring was held for review, in days before the demo's first day. */
export const leftDaysAgo = 60;
export const heldDaysAgo = 2;

/** The demo's people: pioneers of computing, and names that a careless page would trip over. */
export const inhabitants: readonly Inhabitant[] = [
  { name: guide, interest: 'technology', habit: 'keen', text: 'Notes on engines, with notes on the notes.' },
  { name: 'Grace Hopper', interest: 'technology', habit: 'early', text: 'It is easier to ask forgiveness.' },
  { name: 'Alan Turing', interest: 'science', habit: 'night', text: 'Can machines think? Ask me on Monday.' },
  { name: 'Katherine Johnson', interest: 'science', habit: 'breaks', text: 'I count everything.' },
  { name: 'Edsger Dijkstra', interest: 'arts', habit: 'weekly', text: 'Elegance is not a dispensable luxury.' },
  { name: 'Barbara Liskov', interest: 'technology', habit: 'evening' },
  { name: 'Donald Knuth', interest: 'arts', habit: 'weekend', text: 'Volume 4 is coming along.' },
  { name: 'Radia Perlman', interest: 'science', habit: 'breaks', joinedDaysAgo: 320 },
  { name: 'Margaret Hamilton', interest: 'science', habit: 'daily' },
  { name: 'Dennis Ritchie', interest: 'life', habit: 'night', joinedDaysAgo: 330 },
  { name: 'Frances Allen', interest: 'life', habit: 'talker', text: 'Ask me about loops.' },
  { name: 'Tony Hoare', interest: 'general', habit: 'rare', text: 'I call it my billion-dollar mistake.' },
  { name: 'Hedy Lamarr', interest: 'arts', habit: 'evening', joinedDaysAgo: 340 },
  { name: 'Niklaus Wirth', interest: 'sports', habit: 'early', joinedDaysAgo: 305 },
  { name: 'Karen Spärck Jones', interest: 'general', habit: 'talker', joinedDaysAgo: 275 },
  { name: 'Claude Shannon', interest: 'sports', habit: 'weekend', joinedDaysAgo: 260, text: 'I juggle.' },
  { name: '姚期智', interest: 'science', habit: 'breaks', joinedDaysAgo: 225 },
  { name: 'Андрей Ершов', interest: 'technology', habit: 'rare', joinedDaysAgo: 180 },
  { name: 'Sophie Wilson', interest: 'technology', habit: 'evening', joinedDaysAgo: 210 },
  { name: 'John McCarthy', interest: 'general', habit: 'talker', joinedDaysAgo: 290, text: '(((yes)))' },
  { name: 'Adele Goldberg', interest: 'arts', habit: 'weekly', joinedDaysAgo: 240 },
  { name: 'Ken Thompson', interest: 'sports', habit: 'night', joinedDaysAgo: 150 },
  { name: 'Mary Kenneth Keller', interest: 'life', habit: 'early', joinedDaysAgo: 120 },
  { name: 'Guido <van> Rossum', interest: 'technology', habit: 'rare', joinedDaysAgo: 90, text: '<b>Not</b> bold.' },
  { name: 'Evelyn Boyd Granville', interest: 'sports', habit: 'daily', joinedDaysAgo: 80 },
  { name: 'Lynn Conway', interest: 'science', habit: 'evening', joinedDaysAgo: 45 },
  { name: 'Annie Easley', interest: 'life', habit: 'breaks', joinedDaysAgo: 3, text: 'New here. Hello!' },
  { name: 'Reginald Swift', interest: 'general', habit: 'rare', joinedDaysAgo: 100, part: 'farmer' },
  { name: 'Emil Post', interest: 'general', habit: 'evening', part: 'left' },
  { name: 'Nora Bell', interest: 'life', habit: 'friends', joinedDaysAgo: 30, part: 'ring' },
  { name: 'Otto Bell', interest: 'life', habit: 'friends', joinedDaysAgo: 30, part: 'ring' },
  { name: 'Vera Bell', interest: 'life', habit: 'friends', joinedDaysAgo: 29, part: 'ring' },
];

/** Comments. */
export const remarks = [
  'Well said.',
  'I had never looked at it this way.',
  'The second half convinced me.',
  'Have you measured it?',
  'Thank you for writing this down.',
  'This is the page I needed last week.',
  'I disagree, and I enjoyed it.',
  'What happens at midnight?',
  'There is a shorter proof, but yours is nicer.',
  'Please write a second part.',
  'I tried it. It works.',
  'We made the same mistake for years.',
  'I read this twice, on two trains.',
  'Is this still true in winter?',
  'You left out the best one.',
  'So that is why!',
  'It took me ten years to learn this.',
  'Short, and nothing is missing.',
  'My father told it exactly so.',
  'I came for the title and stayed for the end.',
  'Now I have to change my mind.',
  'May I translate this?',
  'The third paragraph is wrong in the best way.',
  'Subscribed.',
] as const;
