import type { TitleFacts } from '../title-facts';
import type { Title } from '../../core/extensions/title-source';
import { TitleRule } from '../title-rule';

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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
