import { readAdjustment } from './adjustment';

const taken = { userId: 'ann', points: -50, reason: 'Points for spam', id: 'ticket-1' };
const read = (given: unknown, decimals = 0) => readAdjustment(given, decimals);

describe('an adjustment', () => {
  it.each([
    ['no user', { userId: undefined }, 'userId'],
    ['an empty user id', { userId: '' }, 'userId'],
    ['a user id of 129 bytes', { userId: 'x'.repeat(129) }, 'userId'],
    ['no points', { points: undefined }, 'points'],
    ['0 points', { points: 0 }, 'points'],
    ['half a point', { points: 0.5 }, 'points'],
    ['points as text', { points: '5' }, 'points'],
    ['too many points', { points: 1_000_001 }, 'points'],
    ['too many points to take', { points: -1_000_001 }, 'points'],
    ['no reason', { reason: undefined }, 'reason'],
    ['an empty reason', { reason: '' }, 'reason'],
    ['a reason of 513 bytes', { reason: 'r'.repeat(513) }, 'reason'],
    ['half a surrogate pair in a reason', { reason: '\ud83d' }, 'reason'],
    ['no id', { id: undefined }, 'id'],
    ['an empty id', { id: '' }, 'id'],
    ['an id of 57 bytes', { id: 'x'.repeat(57) }, 'id'],
    ['an id that is a number', { id: 7 }, 'id'],
    ['a day that is none', { date: '2037-02-30' }, 'date'],
    ['a leaderboard that is none', { leaderboard: 7 }, 'leaderboard'],
    ['a misspelt field', { point: 5 }, 'point'],
  ])('with %s is refused by its path', (_, change, path) => {
    expect(() => read({ ...taken, ...change })).toThrow(
      expect.objectContaining({ code: 'invalidAdjustment', faults: [expect.objectContaining({ path })] }) as Error,
    );
  });

  it.each([[[]], ['text'], [null], [7]])('is refused where it is %j', (given) => {
    expect(() => read(given)).toThrow(expect.objectContaining({ code: 'invalidAdjustment' }) as Error);
  });

  it('is refused with all of its faults', () => {
    expect(() => read({ ...taken, points: 0, id: '' })).toThrow(
      expect.objectContaining({
        faults: [{ path: 'points' }, { path: 'id' }].map((one) => expect.objectContaining(one) as unknown),
      }) as Error,
    );
  });

  it('has as many decimals as points have', () => {
    expect(read({ ...taken, points: 0.07 }, 2)).toMatchObject({ points: 0.07 });
    expect(() => read({ ...taken, points: 0.125 }, 2)).toThrow(
      'must be a number from -10000 to 10000 with at most 2 decimals, not 0',
    );
  });
});
