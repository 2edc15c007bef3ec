import type { Category } from '../../../community/src/categories/categories';

/** Subjects and paragraphs of articles by category; the title names the subject. */
export const topics: Readonly<Record<Category, { readonly subjects: string; readonly texts: readonly string[] }>> = {
  technology: {
    subjects:
      'sorted sets, clocks, caches, queues, indexes, compilers, hash tables, schedulers, type systems, backups, merges, logs',
    texts: [
      `It began with a bug that nobody could repeat. On Tuesdays it was there, on Wednesdays it was gone, and the log said what logs say: that everything was fine until it was not.\n\nWe did what one does. We added a line that prints the time, then one that prints the other time, and saw that there were two of them. From there on it was a matter of choosing which one to believe, and of writing down why.`,
      `Everybody who builds one of these learns the same three things: it is simpler than it looks, it is harder than it was, and somebody did it better in 1974.\n\nI measured all the same. The plain version won by a third, the clever one lost a night of sleep, and the one from 1974 needed no change at all. If you keep one sentence of this page, keep that one.`,
      `The first version had eleven options. The second had four. The one that we run today has none, and nobody has asked for them since.\n\nWhat made the difference was a colleague who read the code aloud. Wherever she had to take a breath, we made two functions; wherever she laughed, we deleted one.`,
    ],
  },
  science: {
    subjects:
      'seconds, tides, prime numbers, comets, snowflakes, lichens, eclipses, magnets, bird songs, volcanoes, shadows, time zones',
    texts: [
      `I counted them for a year, each morning from the same window, with the same pencil. The numbers say less than I had hoped and more than I had feared.\n\nThere is a pattern, and it has a period of eleven days. Before you write to me: yes, I thought of the moon, and no, it is not the moon. I have three other ideas, and this page is about the one that can be tested in a kitchen.`,
      `Old books are sure about this, and new ones are careful. In between lies an experiment that took four people, one summer and a borrowed boat.\n\nThey found that both were right, each at its own scale. What I like most is the drawing of the error, which is larger than the thing itself, and which they left in.`,
      `Ask five people who study this and you get six answers, one of them twice. I asked five, and wrote down where they agreed.\n\nThey agreed on how to measure it, on what not to conclude, and on the cake. That is more than most of us have on a Monday.`,
    ],
  },
  arts: {
    subjects:
      'old maps, empty stages, typefaces, stone bridges, string quartets, paper cranes, puppets, first lines, winter light, stairs, novels, lamps',
    texts: [
      `My teacher made us draw the space between things before we were allowed to draw the things. I was cross for a term, and have been grateful for thirty years.\n\nTry it this evening, with whatever stands on your table. Leave out the outline. What remains on the paper will be quieter than you expected, and more like it.`,
      `There is a museum in a side street that has only one room, and in that room one thing at a time. In March it was this.\n\nI stayed until the guard switched off the lamp at the window. Then the colour changed, she smiled, and I understood why she has never asked for another post.`,
      `Nobody needs it, it earns nothing, and it takes a whole evening. These are three good reasons, and here is the fourth.\n\nMake one with your own hands, and you look at all others differently. I would not call it knowledge. It is closer to having been introduced.`,
    ],
  },
  life: {
    subjects:
      'meetings, breakfasts, night trains, bicycles, tomatoes, long lists, neighbours, lost keys, slow mornings, recipes, umbrellas, chairs',
    texts: [
      `We had agreed to do without for a week. On Monday it was easy, on Tuesday it was a joke, and on Wednesday we stood in the kitchen and could not remember whose idea it had been.\n\nOn Friday something odd happened: there was time. We spent it badly, on the balcony, looking at the house opposite. I recommend it.`,
      `My grandmother kept a list of small things that had gone well, on the back of old envelopes. There was never a date on it, so that each of them could be today's.\n\nI found the last one in her coat. It has eleven lines, and this is the fourth.`,
      `There are people who do this without thinking, and people who think about it and do not. I married one of the former.\n\nWhat I have learned in twenty years fits on a page. The rest is patience, and knowing where the good scissors are.`,
    ],
  },
  sports: {
    subjects:
      'marathons, chess, ski jumps, relay races, table tennis, rowing, penalty kicks, swimming, climbing, curling, cycling tours, orienteering',
    texts: [
      `I came last, and I want to say at once that it was a lovely day for it. From the back you see everybody's face on the way home.\n\nThe winner waited for me, over a second coffee by then, and asked how it was out there at the end, where winners never go.`,
      `The rule is four lines long, and in thirty years I have seen it applied rightly perhaps a dozen times. It was written for a field with a slope.\n\nWhen they levelled the field, they kept the rule. Since then we argue about it every autumn, which, if I am honest, is what we come for.`,
      `Train slowly, they told us at the club, and then go home before you like it too much. We laughed, and the old ones have outlasted us all.\n\nI kept a diary for a season: what I did, what I ate, what hurt. It turns out that sleep explains nearly everything, and the new shoes explain nothing.`,
    ],
  },
  general: {
    subjects:
      'names, postcards, elevators, calendars, silence, crosswords, doorbells, passwords, footnotes, waiting rooms, maps, apologies',
    texts: [
      `I had it wrong for most of my life, and so had the person who taught me. It took a stranger in a queue, and less than a minute, to put it right.\n\nSince then I ask strangers more often. Here is what they have told me, sorted by how sure they were, which is nearly the reverse of how right.`,
      `Somebody must have decided this once, on an afternoon, in a room with a clock. I went to look for the room.\n\nIt belongs to a dentist now, who knew the story, at least the half of it that makes the town look good, and lent me the key to the attic for the other half.`,
      `This is a list. It is not complete, it has no order, and two of its entries are the same thing seen from two sides. I think that they should stay.\n\nIf yours is longer, write it down before you forget where you have it from. If it is shorter, you have probably been more careful than I was.`,
    ],
  },
};
