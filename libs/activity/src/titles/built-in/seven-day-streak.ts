import type { TitleFacts } from '../title-facts';
import type { Title } from '../../core/extensions/title-source';
import { TitleRule } from '../title-rule';

const days = 7;

/** Everyone who had points on seven days in a row, up to the period's last day, or today. */
@TitleRule({ order: 400, needs: ['streak'] })
export class SevenDayStreak implements TitleRule {
  title({ streak }: TitleFacts): Title | null {
    return streak >= days ? { id: 'seven-day-streak', name: 'Seven-day streak' } : null;
  }
}
