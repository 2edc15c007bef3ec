import { RequestCounts } from './request-counts';

describe('request counts', () => {
  let nowMs = 0;
  const counts = (maxSenders = 10) => new RequestCounts({ max: 2, windowMs: 1_000, maxSenders }, () => nowMs);
  beforeEach(() => {
    nowMs = 5_000;
  });

  it('take so many requests of each sender, and say how long the next must wait', () => {
    const own = counts();
    expect([own.count('ada'), own.count('ada'), own.count('bob')]).toEqual([0, 0, 0]);
    nowMs += 400;
    expect([own.count('ada'), own.count('ada'), own.count('bob')]).toEqual([600, 600, 0]);
  });

  it('begin anew when the time is over', () => {
    const own = counts();
    for (let i = 0; i < 9; i += 1) own.count('ada');
    nowMs += 999;
    expect(own.count('ada')).toBe(1);
    nowMs += 1;
    expect([own.count('ada'), own.count('ada'), own.count('ada')]).toEqual([0, 0, 1_000]);
  });

  it('forget the first counted past their bound', () => {
    const own = counts(2);
    for (const sender of ['ada', 'ada', 'bob', 'bob', 'cyd']) own.count(sender);
    expect(own.count('bob')).toBe(1_000);
    expect(own.count('ada')).toBe(0);
  });
});
