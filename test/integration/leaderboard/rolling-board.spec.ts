import { Ledger, Period, RollingBoard, type Entry } from '@laurel/leaderboard';
import fc from 'fast-check';
import { grantsAt } from '../../support/ledger';
import { scripts } from '../../support/scripts';
import { withBetween } from '../../support/between-trips';
import { differencesOf } from '../../support/differences';
import { afterThisTest, dayMs, freshPrefix, hourMs, ManualClock, mentions, testRedis } from '../../support';
import { seed } from '../../support/seed';

const redis = testRedis();

const timezone = 'Europe/London';
// The clocks go forward on 2037-03-29.
const noon = Date.parse('2037-03-31T11:00:00Z');

const grant = (member: string, occurredAtMs: number, points = 2) =>
  grantsAt(occurredAtMs)(member, `f${occurredAtMs}`, { points });

const plain = (entries: readonly Entry[]) => entries.map(({ member, score }) => `${member} ${score}`);

describe('RollingBoard', () => {
  const clock = new ManualClock(noon);
  beforeEach(() => clock.set(noon));

  interface SetUp {
    readonly shards?: number;
    readonly days?: number;
    readonly partition?: string;
    readonly prefix?: string;
    readonly most?: number | null;
  }

  const setUp = (options: SetUp = {}) => {
    const { shards = 1, days = 3, partition = null, prefix = freshPrefix(), most = null } = options;
    const board = {
      name: 'recent',
      period: 'day',
      retentionMs: (days + 2) * dayMs,
      latenessMs: hourMs,
      partition,
      maxPoints: most,
    } as const;
    const shared = { prefix, shards, timezone, clock };
    const ledger = new Ledger(redis, { ...shared, boards: [board], ledgerRetentionMs: 10 * dayMs });
    const rolling = new RollingBoard(redis, ledger, { board: 'recent', days, refreshMs: 10_000 });
    const windowAt = (atMs = clock.now()) => Period.of({ kind: 'rolling', days }, new Date(atMs), timezone);
    return { ledger, rolling, windowAt, prefix };
  };

  it.each([1, 8])('is the sum of its days, equals by the latest of their moments, on %d shards', async (shards) => {
    const event = fc.record({
      member: fc.integer({ min: 0, max: 12 }),
      atMs: fc.integer({ min: noon - 5 * dayMs, max: noon }),
      points: fc.integer({ min: 1, max: 4 }),
    });
    const cases = fc.array(event, { minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(cases, fc.integer({ min: 1, max: 5 }), async (events, days) => {
        const { ledger, rolling, windowAt } = setUp({ shards, days });
        // As they occur: all are counted on the boards of their days.
        for (const { member, atMs, points } of [...events].sort((a, b) => a.atMs - b.atMs)) {
          clock.set(atMs);
          await ledger.apply([grant(`m${member}`, atMs, points)]);
        }
        clock.set(noon);
        const window = windowAt();
        const sums = new Map<string, { score: number; reachedAtMs: number }>();
        const counted = new Set<string>();
        for (const { member, atMs, points } of [...events].sort((a, b) => a.atMs - b.atMs)) {
          const identity = `m${member} ${atMs}`;
          if (!window.holds(atMs) || counted.has(identity)) continue;
          counted.add(identity);
          const sum = sums.get(`m${member}`);
          sums.set(`m${member}`, { score: (sum?.score ?? 0) + points, reachedAtMs: atMs });
        }
        const expected = [...sums]
          .map(([member, sum]) => ({ member, ...sum }))
          .sort((a, b) => b.score - a.score || a.reachedAtMs - b.reachedAtMs || (a.member < b.member ? 1 : -1));
        const found = await rolling.reader(window).top(100);
        expect(
          found.map(({ member, score, reachedAt }) => ({ member, score, reachedAtMs: reachedAt?.getTime() })),
        ).toEqual(expected);
      }),
      { numRuns: 15, seed },
    );
  });

  it.each([1, 8])(
    'loses and regains a member at once, without being put together anew, on %d shards',
    async (shards) => {
      const { ledger, rolling, windowAt } = setUp({ shards });
      for (let back = 3; back >= 0; back--) {
        clock.set(noon - back * dayMs);
        await ledger.apply([grant('ann', clock.now(), 10 ** back), grant('bob', clock.now(), 2)]);
      }
      const reader = rolling.reader(windowAt());
      const before = await reader.top(10);
      expect(plain(before)).toEqual(['ann 111', 'bob 6']);
      await ledger.excluded.move('ann', 'aside');
      expect(plain(await reader.top(10))).toEqual(['bob 6']);
      expect(plain(await rolling.aside(windowAt()).top(10))).toEqual(['ann 111']);
      // Put together anew, of closed days whose sum was made before, and on windows that nobody has read before.
      clock.advance(10_000);
      await ledger.apply([grant('ann', clock.now(), 1000)]);
      expect(plain(await reader.top(10))).toEqual(['bob 6']);
      expect(plain(await rolling.aside(windowAt()).top(10))).toEqual(['ann 1111']);
      expect(plain(await rolling.reader(windowAt().previous() as Period).top(10))).toEqual(['bob 6']);
      await ledger.excluded.move('ann', 'onBoards');
      expect(plain(await reader.top(10))).toEqual(['ann 1111', 'bob 6']);
      expect(plain(await rolling.reader(windowAt().previous() as Period).top(10))).toEqual(['ann 1110', 'bob 6']);
      expect(await rolling.aside(windowAt()).size()).toBe(0);
    },
  );

  it('misses nobody when a member is moved while the closed days are summed', async () => {
    const { ledger, rolling, windowAt } = setUp({ days: 5 });
    const members = Array.from({ length: 1_200 }, (_, i) => `m${String(i).padStart(4, '0')}`);
    for (let back = 4; back >= 0; back--) {
      clock.set(noon - back * dayMs);
      await ledger.apply(members.map((member, i) => grant(member, clock.now() - i, 1)));
    }
    const building = rolling.reader(windowAt()).top(2_000);
    for (const member of members.slice(0, 30)) await ledger.excluded.move(member, 'aside');
    await building;
    const shown = await rolling.reader(windowAt()).top(2_000);
    const expected = members.slice(30).map((member) => `${member} 5`);
    expect(plain(shown).sort()).toEqual(expected);
    expect(plain(await rolling.aside(windowAt()).top(100)).sort()).toEqual(
      members.slice(0, 30).map((one) => `${one} 5`),
    );
  });

  it('is as old as it may be and no older', async () => {
    const { ledger, rolling, windowAt } = setUp();
    const reader = rolling.reader(windowAt());
    expect(await reader.size()).toBe(0);
    await ledger.apply([grant('ann', noon)]);
    clock.advance(7_499);
    expect(await reader.size()).toBe(0);
    clock.advance(2_501);
    expect(await reader.size()).toBe(1);
    await ledger.apply([{ ...grant('ann', noon), kind: 'revoke', occurredAtMs: noon + 1 }]);
    clock.advance(10_000);
    expect(await reader.size()).toBe(0);
  });

  it('refreshes in the background before it is too old', async () => {
    const { ledger, rolling, windowAt, prefix } = setUp();
    const reader = rolling.reader(windowAt());
    await reader.size();
    await ledger.apply([grant('ann', noon)]);
    clock.advance(7_500);
    expect(await reader.size()).toBe(0);
    const other = setUp({ prefix });
    // The other process adopts what the first one is making.
    expect(await other.rolling.reader(windowAt()).size()).toBe(1);
    expect(await reader.size()).toBe(1);
  });

  it('crosses pages of entries, and its cursors survive a refresh', async () => {
    const { ledger, rolling, windowAt } = setUp({ shards: 2 });
    clock.set(noon - 2 * dayMs);
    await ledger.apply(Array.from({ length: 1_300 }, (_, i) => grant(`m${i}`, clock.now() - i, 3)));
    clock.set(noon);
    await ledger.apply(Array.from({ length: 1_200 }, (_, i) => grant(`m${i + 600}`, noon - i, 4)));
    const reader = rolling.reader(windowAt());
    expect(await reader.size()).toBe(1_800);
    expect(await reader.countBetween(7, 7)).toBe(700);
    expect([await reader.score('m0'), await reader.score('m700'), await reader.score('m1700')]).toEqual([3, 7, 4]);
    const first = await reader.after(null, 1_000);
    clock.advance(20_000);
    const second = await reader.after(first.next, 1_000);
    expect(new Set([...first.entries, ...second.entries].map(({ member }) => member)).size).toBe(1_800);
  });

  it('is put together by one process, however many read it', async () => {
    const prefix = freshPrefix();
    const { ledger } = setUp({ prefix, shards: 4 });
    await ledger.apply(Array.from({ length: 50 }, (_, i) => grant(`m${i}`, noon)));
    const calls = jest.spyOn(redis, 'evalsha');
    afterThisTest(() => calls.mockRestore());
    const sizes = await Promise.all(
      Array.from({ length: 12 }, () => {
        const { rolling, windowAt } = setUp({ prefix, shards: 4 });
        return rolling.reader(windowAt()).size();
      }),
    );
    expect(sizes).toEqual(sizes.map(() => 50));
    const copies = calls.mock.calls.filter(([sha]) => sha === scripts.copyBoards.sha1);
    // Of each of three days, on four shards.
    expect(copies).toHaveLength(12);
  });

  it('takes over from a process that died over it', async () => {
    const { ledger, rolling, windowAt, prefix } = setUp();
    await ledger.apply([grant('ann', noon)]);
    const lock = `{${prefix}:1-0}:rolling-lock:recent:3:2037-03-31`;
    await redis.set(lock, 'one that died', 'PX', 150);
    expect(await rolling.reader(windowAt()).size()).toBe(1);
    expect(await redis.exists(lock)).toBe(0);
  });

  it('refuses a window whose first days are no longer kept, and one of another length', () => {
    const { rolling, windowAt } = setUp();
    expect(rolling.keeps(windowAt(noon - 3 * dayMs))).toBe(true);
    expect(rolling.keeps(windowAt(noon - 4 * dayMs))).toBe(false);
    expect(() => rolling.reader(windowAt(noon - 4 * dayMs))).toThrow('no longer kept');
    const other = Period.of({ kind: 'rolling', days: 4 }, new Date(noon), timezone);
    expect(() => rolling.reader(other)).toThrow(expect.objectContaining({ code: 'invalidArgument' }));
  });

  it.each([1, 8])('shows who has more points than leave room for exact moments, on %d shards', async (shards) => {
    const [far, near] = [(2 ** 53 - 1) / 2, 17_000_000].map(Math.floor) as [number, number];
    const { ledger, rolling, windowAt } = setUp({ shards, days: 30 });
    const points = { ann: far, bob: 2, cid: near };
    for (const atMs of [noon - 2 * dayMs, noon]) {
      clock.set(atMs);
      for (const [member, worth] of Object.entries(points)) await ledger.apply([grant(member, atMs, worth)]);
    }
    const reader = rolling.reader(windowAt());
    expect(plain(await reader.top(9))).toEqual([`ann ${2 * far}`, `cid ${2 * near}`, 'bob 4']);
    expect(await reader.entry('bob')).toMatchObject({ rank: 3, reachedAt: new Date(noon) });
    const late = (await reader.entry('cid'))?.reachedAt?.getTime() ?? 0;
    expect(late - noon).toBeGreaterThanOrEqual(0);
    expect(late - noon).toBeLessThan(32);
    expect(await differencesOf(redis, ledger)).toEqual([]);
  });

  it.each([1, 8])('shows at most the points of its board, on %d shards', async (shards) => {
    const { ledger, rolling, windowAt } = setUp({ shards, most: 10 });
    for (const [back, worth] of [8, 5].entries()) {
      clock.set(noon - (1 - back) * dayMs);
      await ledger.apply([grant('ann', clock.now(), worth), grant('bob', clock.now(), 5)]);
    }
    const reader = rolling.reader(windowAt());
    expect(plain(await reader.top(9))).toEqual(['ann 10', 'bob 10']);
    expect(await reader.ranks(['ann', 'bob'], { ranking: 'competition' })).toEqual([1, 1]);
    await ledger.apply([grant('bob', noon + 1, 9)]);
    clock.advance(10_000);
    expect(plain(await reader.top(9))).toEqual(['bob 10', 'ann 10']);
  });

  describe('while a member is erased', () => {
    const build = async (days: number) => {
      const set = setUp({ days });
      for (let back = days - 1; back >= 0; back--) {
        clock.set(noon - back * dayMs);
        await set.ledger.apply(['ann', 'bob', 'cat'].map((member) => grant(member, clock.now(), 1)));
      }
      return { ...set, reader: set.rolling.reader(set.windowAt()) };
    };

    it.each([
      ['', { moves: false, least: 9, others: ['cat 4', 'bob 4'] }],
      [' where another is moved before,', { moves: true, least: 20, others: ['bob 4'] }],
    ])('is put together without them,%s whichever step the erasure meets', async (_, { moves, least, others }) => {
      let isOver = false;
      for (let trip = 1; !isOver; trip++) {
        const { ledger, reader, prefix } = await build(4);
        const real = ledger.excluded.erasuresOf.bind(ledger.excluded);
        // Its second call begins the sum of the closed days.
        let calls = 0;
        const spy = jest.spyOn(ledger.excluded, 'erasuresOf').mockImplementation(async (shard) => {
          const erasures = await real(shard);
          if (++calls === 2 && moves) await ledger.excluded.move('cat', 'aside');
          return erasures;
        });
        isOver = true;
        const erase = async () => {
          isOver = false;
          await ledger.erasure.erase('ann');
        };
        await withBetween(redis, { trip, work: erase }, () => reader.top(10));
        spy.mockRestore();
        if (isOver) expect(trip).toBeGreaterThan(least);
        else expect([trip, await mentions(redis, prefix, 'ann')]).toEqual([trip, []]);
        // Made again from what is kept of it.
        clock.advance(10_000);
        expect([trip, plain(await reader.top(10))]).toEqual([trip, isOver ? [...others, 'ann 4'] : others]);
        clock.set(noon);
      }
    });

    it('has nothing of them left in what a process that died had begun', async () => {
      let isOver = false;
      for (let trip = 1; !isOver; trip++) {
        const { ledger, reader, prefix } = await build(4);
        isOver = true;
        const die = () => {
          isOver = false;
          return Promise.reject(new Error('The process dies.'));
        };
        await withBetween(redis, { trip, work: die }, () => reader.top(10)).catch(() => undefined);
        await ledger.erasure.erase('ann');
        expect([trip, await mentions(redis, prefix, 'ann')]).toEqual([trip, []]);
      }
    });

    it('gives up where members are erased again and again', async () => {
      const { ledger, reader } = await build(3);
      const real = ledger.excluded.erasuresOf.bind(ledger.excluded);
      const spy = jest.spyOn(ledger.excluded, 'erasuresOf').mockImplementation(async (shard) => {
        return `${await real(shard)}0`;
      });
      await expect(reader.top(10)).rejects.toMatchObject({ code: 'unavailable' });
      spy.mockRestore();
    });
  });

  it('leaves nothing behind that Redis does not drop', async () => {
    const { ledger, rolling, windowAt, prefix } = setUp({ shards: 2 });
    clock.set(noon - 2 * dayMs);
    await ledger.apply(Array.from({ length: 20 }, (_, i) => grant(`m${i}`, clock.now())));
    clock.set(noon);
    await ledger.apply(Array.from({ length: 20 }, (_, i) => grant(`m${i}`, noon)));
    await rolling.reader(windowAt()).size();
    const keys = await redis.keys(`{${prefix}:*}:rolling*`);
    const kinds = keys.map((key) => key.split(':')[2]).sort();
    expect(kinds.join(' ')).toBe('rolling rolling rolling-as-of rolling-base rolling-base');
    for (const key of keys) expect(await redis.pttl(key)).toBeGreaterThan(0);
  });
});
