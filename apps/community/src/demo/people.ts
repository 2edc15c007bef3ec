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

/** What they write about. */
export const titles = [
  'How a sorted set keeps its order',
  'What a day is, in every time zone',
  'Fifty-three honest bits',
  'On counting things exactly once',
  'The quiet art of the index',
  'Why my queue was never empty',
  'A kind word for boring technology',
  'Clocks, and other unreliable narrators',
  'Notes from a week without meetings',
  'Reading code as a form of travel',
  'The smallest useful leaderboard',
  'Late events and how to love them',
  'A cache is a promise',
  'Names are hard, and so is 23:59:59.999',
  'What the debugger taught me about patience',
  'Pages nobody visits',
] as const;

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
