import type { TitleFacts } from '../title-facts';
import { BusiestCommenter } from './busiest-commenter';
import { MostFollowed } from './most-followed';
import { MostPraised } from './most-praised';
import { NewcomerOfTheWeek } from './newcomer-of-the-week';
import { NightOwl } from './night-owl';
import { SevenDayStreak } from './seven-day-streak';

const facts = (known: Partial<TitleFacts>) => known as TitleFacts;
const firstIn = (tally: string) => facts({ isFirst: (asked) => asked === tally });
/** So many activities at four in the morning, and so many at five. */
const atHours = (four: number, five: number) => facts({ hours: [0, 0, 0, 0, four, five] });

describe('the ready rules', () => {
  it.each([
    ['most praised', new MostPraised(), firstIn('received:praise'), firstIn('given:praise')],
    ['most followed', new MostFollowed(), firstIn('received:follow'), firstIn('received:praise')],
    ['busiest commenter', new BusiestCommenter(), firstIn('given:comment'), firstIn('received:comment')],
    ['seven-day streak', new SevenDayStreak(), facts({ streak: 7 }), facts({ streak: 6 })],
    ['night owl, of half of what was done', new NightOwl(), atHours(3, 3), atHours(3, 4)],
    ['night owl, of five activities or more', new NightOwl(), atHours(5, 0), atHours(4, 0)],
    [
      'newcomer of the week',
      new NewcomerOfTheWeek(),
      facts({ firstDay: '2036-11-17', lastDay: '2036-11-23' }),
      facts({ firstDay: '2036-11-17', lastDay: '2036-11-24' }),
    ],
    [
      'newcomer of the week, first seen on a known day',
      new NewcomerOfTheWeek(),
      facts({ firstDay: '2036-11-23', lastDay: '2036-11-23' }),
      facts({ firstDay: null, lastDay: '2036-11-23' }),
    ],
  ])('%s', (name, rule, won, missed) => {
    expect(rule.title(won)?.name.toLowerCase()).toBe(name.replace(/,.*/, ''));
    expect(rule.title(missed)).toBeNull();
  });
});
