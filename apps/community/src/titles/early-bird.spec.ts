import type { TitleFacts } from '@laurel/activity';
import { EarlyBird } from './early-bird';

/** How often something was done at some hours. */
function at(counts: Readonly<Record<number, number>>): TitleFacts {
  return { hours: Array.from({ length: 24 }, (_, hour) => counts[hour] ?? 0) } as unknown as TitleFacts;
}

describe('the early bird', () => {
  const rule = new EarlyBird();

  it('did half of what they did lately between five and nine in the morning', () => {
    expect(rule.title(at({ 5: 2, 8: 1, 20: 3 }))).toEqual({ id: 'early-bird', name: 'Early bird' });
    expect(rule.title(at({ 5: 2, 8: 1, 9: 4 }))).toBeNull();
    expect(rule.title(at({ 4: 3, 9: 3 }))).toBeNull();
  });

  it('is nobody who did less than five things', () => {
    expect(rule.title(at({ 6: 4 }))).toBeNull();
  });
});
