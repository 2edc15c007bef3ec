import type { Outcome } from '../activity/activity';
import { resultsJson } from './results-json';

describe('resultsJson', () => {
  it('is what JSON.stringify writes, whatever an outcome says and boards are called', () => {
    const boards = { day: 'counted', 'team/"a"\\\u2028': 'counted' } as const;
    const scores = { day: 5, 'team/"a"\\\u2028': 2 ** 53 - 1 };
    const plain = { outcome: 'granted', points: 2, scores, boards } as const;
    const owner = { userId: '9"', outcome: 'granted', points: 1, scores: { day: 8 } } as const;
    const outcomes: Outcome[] = [
      plain,
      { ...plain, outcome: 'revoked', points: -2 },
      { ...plain, late: ['day'] },
      { outcome: 'ignored', points: 0, scores: {}, boards: {}, reason: 'ownSubject' },
      { ...plain, refusal: { limit: 'praise-sliding', allowedAgainAt: null }, reason: 'praise-sliding' },
      { ...plain, owner },
      { ...plain, excluded: true },
    ];
    expect(resultsJson(outcomes)).toBe(JSON.stringify({ results: outcomes }));
    expect(resultsJson([])).toBe('{"results":[]}');
  });
});
