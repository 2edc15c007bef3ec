import { Ledger, type LedgerBoard, type LedgerOptions, Period, type Transition } from '@laurel/leaderboard';
import { keys } from '../../support/keys';
import { LawfulLedger, type LawfulTransition } from '../../support/lawful-ledger';
import { grantsAt, keptBoard, keptLedger } from '../../support/ledger';
import { dayMs, freshPrefix, ManualClock, testRedis } from '../../support';

const redis = testRedis();

describe('tallies and streaks', () => {
  const noon = Date.parse('2036-11-20T12:00:00Z');
  const kept = { retentionMs: null, latenessMs: 3_600_000 };
  const boards: readonly LedgerBoard[] = [
    { name: 'day', period: 'day', ...kept, freezes: true },
    { name: 'month', period: 'month', ...kept },
    { name: 'day.g.p', period: 'day', ...kept, tallyOf: 'day' },
  ];
  const counting = ['day', 'month', 'day.g.p'];

  describe.each([1, 3])('on %i shards', (shards) => {
    function open(options: Partial<LedgerOptions> = {}) {
      const clock = new ManualClock(noon);
      const ledger = new LawfulLedger(redis, { prefix: freshPrefix(), shards, boards, clock, ...options });
      const praise = (member: string, subject: number, more: Partial<LawfulTransition> = {}) =>
        grantsAt(clock.now())(member, `p:${subject}`, { points: 2, boards: counting, ...more });
      const today = Period.of('day', new Date(noon), ledger.settings.timezone);
      const tally = async (day = today) => {
        const entries = await ledger.board('day.g.p', day).top(10);
        return entries.map(({ member, score }) => `${member} ${score}`);
      };
      return { ledger, clock, praise, today, tally };
    }

    describe('a tally', () => {
      it('is frozen with its board, and by that alone', async () => {
        const { ledger, today } = open();
        await expect(ledger.periods.freeze('day.g.p', today)).rejects.toMatchObject({
          code: 'invalidArgument',
          message: '"day.g.p" is a tally, frozen with its board: freeze "day".',
        });
        expect(await ledger.periods.isFrozen('day.g.p', today)).toBe(false);
        await ledger.periods.freeze('day', today);
        expect(await ledger.periods.isFrozen('day.g.p', today)).toBe(true);
      });

      it('counts the grants that stand, whatever their points, and stands in no answer', async () => {
        const { ledger, praise, tally } = open();
        const [first] = await ledger.apply([praise('ada', 1), praise('ada', 2, { points: 7 }), praise('bob', 1)]);
        expect(first).toMatchObject({ outcome: 'granted', scores: { day: 2, month: 2 } });
        expect(first?.boards).toEqual({ day: 'counted', month: 'counted' });
        expect(Object.keys(first?.scores ?? {}).sort()).toEqual(['day', 'month']);
        await ledger.apply([praise('ada', 1)]);
        expect(await tally()).toEqual(['ada 2', 'bob 1']);
        await ledger.apply([praise('ada', 2, { kind: 'revoke' }), praise('bob', 1, { kind: 'revoke' })]);
        expect(await tally()).toEqual(['ada 1']);
      });
    });

    describe('first days', () => {
      it('are the earliest, in whatever order days come', async () => {
        const { ledger, clock, praise } = open({ keepsFirstDays: true });
        await ledger.prepare();
        await ledger.apply([praise('ada', 1)]);
        clock.set('2036-11-21T00:10:00Z');
        await ledger.apply([praise('ada', 2), praise('bob', 1), praise('bob', 2, { occurredAtMs: noon })]);
        expect(await ledger.firstDays.of(['bob', 'nobody', 'ada'])).toEqual(['2036-11-20', null, '2036-11-20']);
        await ledger.apply([praise('cyd', 1), praise('cyd', 1, { kind: 'revoke' })]);
        await ledger.apply([praise('dan', 1, { kind: 'revoke' })]);
        await ledger.apply([praise('dan', 2, { gift: { member: 'eva', points: 1 } })]);
        expect(await ledger.firstDays.of(['cyd', 'cyd', 'dan'])).toEqual(Array(3).fill('2036-11-21'));
        expect(await ledger.firstDays.of(['eva'])).toEqual([null]);
      });

      it('are not known where nobody keeps them', async () => {
        const { ledger, praise } = open();
        await ledger.prepare();
        await ledger.apply([praise('ada', 1)]);
        expect(await ledger.firstDays.of(['ada'])).toEqual([null]);
        expect(await redis.exists(keys.firstDays(ledger.settings.prefix, ledger.settings.tags[0] as string))).toBe(0);
      });

      it('are doubted for a month where they began to be kept on data that was there before', async () => {
        const prefix = freshPrefix();
        const before = open({ prefix });
        await before.ledger.prepare();
        await before.ledger.apply([before.praise('ada', 1)]);
        const { ledger, clock, praise } = open({ prefix, keepsFirstDays: true });
        await ledger.prepare();
        clock.advance(30 * dayMs);
        await ledger.apply([praise('ada', 2)]);
        clock.advance(dayMs);
        await ledger.apply([praise('bob', 1)]);
        expect(await ledger.firstDays.of(['ada', 'bob'])).toEqual([null, '2036-12-21']);
      });

      it('are trusted from the start where many instances start at once on nothing', async () => {
        const prefix = freshPrefix();
        const opened = Array.from({ length: 20 }, () => open({ prefix, keepsFirstDays: true }));
        await Promise.all(opened.map(({ ledger }) => ledger.prepare()));
        const { ledger, praise } = opened[7] as (typeof opened)[0];
        await ledger.apply([praise('ada', 1)]);
        expect(await ledger.firstDays.of(['ada'])).toEqual(['2036-11-20']);
      });
    });

    describe('a streak', () => {
      it('is the number of days in a row, up to today, or to yesterday while today is empty', async () => {
        const { ledger, clock, praise } = open();
        const days: Readonly<Record<string, readonly number[]>> = {
          all: [15, 16, 17, 18, 19, 20],
          yesterday: [17, 18, 19],
          gap: [16, 17, 19, 20],
          before: [16, 17, 18],
        };
        for (let day = 15; day <= 20; day++) {
          clock.set(`2036-11-${day}T12:00:00Z`);
          const present = Object.keys(days).filter((member) => days[member]?.includes(day));
          await ledger.apply(present.map((member) => praise(member, day)));
        }
        const asked = [...Object.keys(days), 'nobody'];
        const options = { atMs: clock.now(), longest: 31 };
        expect(await ledger.streaks.of('day', asked, options)).toEqual([6, 3, 2, 0, 0]);
        expect(await ledger.streaks.of('day', asked, { ...options, longest: 4 })).toEqual([4, 3, 2, 0, 0]);
        clock.set('2036-11-21T00:00:00Z');
        expect(await ledger.streaks.of('day', asked, options)).toEqual([6, 0, 2, 0, 0]);
      });

      it('passes over a day that its zone skipped, and counts days of 23 and 25 hours as others', async () => {
        const { ledger, clock, praise } = open({ timezone: 'Pacific/Apia', ledgerRetentionMs: null });
        for (const moment of ['2011-12-29T20:00:00Z', '2011-12-30T20:00:00Z', '2011-12-31T20:00:00Z']) {
          clock.set(moment);
          await ledger.apply([praise('ada', 1)]);
        }
        expect(await ledger.streaks.of('day', ['ada'], { atMs: clock.now(), longest: 31 })).toEqual([3]);
      });

      it('is refused on a board of other periods', async () => {
        const { ledger } = open();
        await expect(ledger.streaks.of('month', ['ada'], { atMs: noon, longest: 3 })).rejects.toMatchObject({
          code: 'invalidArgument',
        });
      });
    });

    it('a ledger reads the same histories over a day that the zone skipped', async () => {
      const { ledger, clock, praise } = open({ timezone: 'Pacific/Apia', ledgerRetentionMs: null });
      const from = Period.parse('day', '2011-12-28', 'Pacific/Apia');
      const to = Period.parse('day', '2012-01-01', 'Pacific/Apia');
      clock.set('2011-12-30T20:00:00Z');
      await ledger.apply([praise('ada', 1)]);
      const [days] = await ledger.history.ofMembers(['ada'], from, to);
      expect(days?.map(({ date, fields }) => [date, fields.length])).toEqual([['2011-12-31', 1]]);
      expect((await ledger.history.days('ada', from, to)).map(({ date }) => date)).not.toContain('2011-12-30');
    });
  });

  const [day] = boards as [LedgerBoard];
  it.each([
    ['beside no board', { name: 'week.g.p', period: 'day', ...kept, tallyOf: 'week' }],
    ['under another name', { name: 'dayg', period: 'day', ...kept, tallyOf: 'day' }],
    ['of another period', { name: 'day.g.p', period: 'month', ...kept, tallyOf: 'day' }],
    ['of another lateness', { name: 'day.g.p', period: 'day', ...kept, latenessMs: 1, tallyOf: 'day' }],
    ['of another retention', { name: 'day.g.p', period: 'day', ...kept, retentionMs: dayMs, tallyOf: 'day' }],
    ['with parts', { name: 'day.g.p', period: 'day', ...kept, partition: 'category', tallyOf: 'day' }],
  ] as [string, LedgerBoard][])('refuses a tally %s', (_, tally) => {
    expect(() => new Ledger(redis, { boards: [day, tally] })).toThrow(
      expect.objectContaining({ code: 'invalidOption', message: expect.stringContaining(tally.name) as string }),
    );
  });
});

const now = Date.parse('2036-11-20T12:00:00Z');

it('first days that are asked for before anybody has begun to keep them are known as soon as somebody has', async () => {
  const prefix = freshPrefix();
  const open = () => keptLedger(testRedis(), { prefix, clock: now, keepsFirstDays: true });
  const [reader, writer] = [open(), open()];
  expect(await reader.firstDays.of(['ann'])).toEqual([null]);
  await writer.prepare();
  await writer.apply([{ kind: 'grant', member: 'ann', field: 'p:1', points: 1, occurredAtMs: now }]);
  expect(await reader.firstDays.of(['ann', 'bob'])).toEqual(['2036-11-20', null]);
});

describe.each([1, 3])('the lines of a ledger, on %d shards', (shards) => {
  const start = Date.parse('2036-11-20T08:00:00.000Z');
  const today = Period.parse('day', '2036-11-20', 'UTC');
  const tomorrow = Period.parse('day', '2036-11-21', 'UTC');
  let ledger: Ledger;
  const clock = new ManualClock(start);
  beforeEach(() => {
    clock.set(start + dayMs);
    ledger = keptLedger(redis, { shards, clock, boards: [keptBoard('day'), keptBoard('month')] });
  });

  const grant = (field: string, atMs: number, more: Partial<Transition> = {}) =>
    grantsAt(start + atMs)('ann', field, { points: 2, ...more });
  const revoke = (field: string, atMs: number, more: Partial<Transition> = {}) =>
    grant(field, atMs, { kind: 'revoke', ...more });
  /** Field, points, and since when it is granted and revoked. */
  const lines = async (day = today) => {
    const since = (ms: number | null) => ms && ms - start;
    return (await ledger.history.lines('ann', day)).map(
      ({ field, points, grantedAtMs, revokedAtMs }) => `${field} ${points} ${since(grantedAtMs)} ${since(revokedAtMs)}`,
    );
  };

  it('name since a moment what was granted then, and what stood on its day before and was granted again', async () => {
    await ledger.apply([grant('before', 10), grant('again', 20), grant('ended', 30), revoke('ended', 40)]);
    await ledger.apply([grant('later', 60), grant('again', 70), grant('ended', 80), grant('before', dayMs)]);
    const since = async (atMs: number) =>
      (await ledger.grants.since('ann', start + atMs)).map((one) => `${one.field} ${one.grantedAtMs - start}`);
    expect((await since(50)).sort()).toEqual(['again 70', `before ${dayMs}`, 'ended 80', 'later 60']);
    expect(await since(81)).toEqual([`before ${dayMs}`]);
  });

  it('tell the latest grant, and the earliest revoke that it does not outlast', async () => {
    await ledger.apply([grant('b', 20), grant('a', 30), grant('c', 10), revoke('c', 40)]);
    expect(await lines()).toEqual(['c 0 10 40', 'b 2 20 null', 'a 2 30 null']);
    await ledger.apply([revoke('c', 35), grant('b', 50), revoke('a', 30)]);
    expect(await lines()).toEqual(['c 0 10 40', 'a 0 30 30', 'b 2 50 null']);
    await ledger.apply([grant('c', 60)]);
    expect((await lines()).at(-1)).toBe('c 2 60 null');
  });

  it('know revokes of later days, of one day alone, and those that found nothing', async () => {
    await ledger.apply([grant('a', 10), grant('b', 20), revoke('c', 30), grant('d', 40, { sequence: 2 })]);
    await ledger.apply([
      revoke('a', dayMs),
      revoke('b', dayMs - 5, { grantedAtMs: start }),
      revoke('d', 40, { sequence: 1 }),
    ]);
    expect(await lines()).toEqual([`a 0 10 ${dayMs}`, `b 0 20 ${dayMs - 5}`, 'c 0 null 30', 'd 2 40 null']);
    expect(await lines(tomorrow)).toEqual([`a 0 null ${dayMs}`]);
  });

  it('are those of one member and day alone', async () => {
    expect(await lines()).toEqual([]);
    await ledger.apply([grant('a', 10, { member: 'bob' }), grant('a', dayMs)]);
    expect(await lines()).toEqual([]);
    await expect(ledger.history.lines('ann', Period.parse('month', '2036-11', 'UTC'))).rejects.toMatchObject({
      code: 'invalidArgument',
    });
  });
});
