import { sum } from '@laurel/leaderboard/internals';
import type { Title } from '../core/extensions/standings';
import type { TitleFacts } from './title-facts';
import { TitleRule } from './title-rules';

/** The one whose subjects were praised most often in the period. */
@TitleRule({ order: 100, needs: ['first:received:praise'] })
export class MostPraised implements TitleRule {
  title(facts: TitleFacts): Title | null {
    return facts.isFirst('received:praise') ? { id: 'most-praised', name: 'Most praised' } : null;
  }
}

/** The one who gained most followers in the period. */
@TitleRule({ order: 200, needs: ['first:received:follow'] })
export class MostFollowed implements TitleRule {
  title(facts: TitleFacts): Title | null {
    return facts.isFirst('received:follow') ? { id: 'most-followed', name: 'Most followed' } : null;
  }
}

/** The one who commented most often in the period. */
@TitleRule({ order: 300, needs: ['first:given:comment'] })
export class BusiestCommenter implements TitleRule {
  title(facts: TitleFacts): Title | null {
    return facts.isFirst('given:comment') ? { id: 'busiest-commenter', name: 'Busiest commenter' } : null;
  }
}

const days = 7;

/** Everyone who had points on seven days in a row, up to the period's last day, or today. */
@TitleRule({ order: 400, needs: ['streak'] })
export class SevenDayStreak implements TitleRule {
  title({ streak }: TitleFacts): Title | null {
    return streak >= days ? { id: 'seven-day-streak', name: 'Seven-day streak' } : null;
  }
}

/** Fewer activities say nothing of anybody's habits. */
const least = 5;

/** From midnight on. */
const nightHours = 5;

/** Users with at least half of their recent activities, and at least five, between midnight and five. */
@TitleRule({ order: 500, needs: ['hours'] })
export class NightOwl implements TitleRule {
  title({ hours }: TitleFacts): Title | null {
    const all = sum(hours);
    const atNight = sum(hours.slice(0, nightHours));
    return all >= least && 2 * atNight >= all ? { id: 'night-owl', name: 'Night owl' } : null;
  }
}

const weekMs = 7 * 86_400_000;

/** Everyone who was first seen within the seven days up to the period's last day, or today. */
@TitleRule({ order: 600, needs: ['firstDay'] })
export class NewcomerOfTheWeek implements TitleRule {
  title({ firstDay, lastDay }: TitleFacts): Title | null {
    const knownForMs = firstDay === null ? Infinity : Date.parse(lastDay) - Date.parse(firstDay);
    return knownForMs < weekMs ? { id: 'newcomer-of-the-week', name: 'Newcomer of the week' } : null;
  }
}
