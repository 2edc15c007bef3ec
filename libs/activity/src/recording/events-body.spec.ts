import { changesOf } from './events-body';

const praise = { userId: '7', action: 'praise', subject: 'article:42' };

describe('changesOf', () => {
  it('reads each field, and leaves out what is left out', () => {
    const full = { revoke: true, sequence: 3, ownerId: '8', partitions: { category: 'redis' } };
    const [plain, whole] = changesOf({
      events: [praise, { ...praise, ...full, occurredAt: '2026-11-20T08:12:01.123+08:00', grantedAt: null }],
    });
    expect(Object.keys(plain ?? {}).sort()).toEqual(['action', 'grantedAt', 'occurredAt', 'subject', 'userId']);
    expect(plain).toEqual({ ...praise, occurredAt: null, grantedAt: null });
    const occurredAt = new Date('2026-11-20T00:12:01.123Z');
    expect(whole).toEqual({ ...praise, ...full, occurredAt, grantedAt: null });
  });

  it.each(['2026-02-30T00:00:00Z', '2026-02-29T00:00:00Z', '2026-11-20T08:12:01', '2026-11-20'])(
    'refuses %s, which is no moment',
    (occurredAt) => {
      expect(() => changesOf({ events: [{ ...praise, occurredAt }] })).toThrow(
        /events\.0\.occurredAt must be a moment/,
      );
    },
  );

  it('takes the last day of a month', () => {
    const [change] = changesOf({ events: [{ ...praise, occurredAt: '2028-02-29T23:59:59Z' }] });
    expect(change?.occurredAt).toEqual(new Date('2028-02-29T23:59:59Z'));
  });
});
