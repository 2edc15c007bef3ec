import { type TitleFacts, TitleRule } from '@laurel/activity';

/** Fewer activities say nothing of anybody's habits. */
const least = 5;

const [from, to] = [5, 9];

/** Users with at least half of their recent activities, and at least five, between five and nine in the morning. */
@TitleRule({ order: 450, needs: ['hours'] })
export class EarlyBird implements TitleRule {
  title({ hours }: TitleFacts) {
    const all = sum(hours);
    return all >= least && 2 * sum(hours.slice(from, to)) >= all ? { id: 'early-bird', name: 'Early bird' } : null;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
