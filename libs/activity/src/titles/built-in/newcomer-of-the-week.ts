import type { TitleFacts } from '../title-facts';
import type { Title } from '../../core/extensions/title-source';
import { TitleRule } from '../title-rule';

const weekMs = 7 * 86_400_000;

/** Everyone who was first seen within the seven days up to the period's last day, or today. */
@TitleRule({ order: 600, needs: ['firstDay'] })
export class NewcomerOfTheWeek implements TitleRule {
  title({ firstDay, lastDay }: TitleFacts): Title | null {
    const knownForMs = firstDay === null ? Infinity : Date.parse(lastDay) - Date.parse(firstDay);
    return knownForMs < weekMs ? { id: 'newcomer-of-the-week', name: 'Newcomer of the week' } : null;
  }
}
