import { Exclusions } from '@laurel/activity';
import { Ledgers } from '@laurel/activity/internals';
import { Ledger, Period, systemClock, type Transition } from '@laurel/leaderboard';
// Private: a look at what is unfinished, and the end of looks alone, show in nothing else.
import { ExclusionRecords } from '../../../libs/activity/src/moderation/exclusions/exclusion-records';
import { PeriodicTasks } from '../../../libs/activity/src/core/periodic/periodic-tasks';
import type { AllOptions } from '../../support/activity-imports';
import { ManualClock } from '../../support/clock';
import { exclusionKeys } from '../../support/keys';
import { keptBoard } from '../../support/ledger';
import { freshPrefix, testRedis } from '../../support/redis';
import { waitUntil } from '../../support/wait-until';
import { TinyApp } from './support/tiny-app';

describe('a change of exclusions', () => {
  // Only what looks now and then is moved by hand: everything else goes on in its own time.
  beforeEach(() => {
    const own = ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'nextTick', 'queueMicrotask'] as const;
    jest.useFakeTimers({ doNotFake: [...own, 'Date', 'performance', 'hrtime'] });
  });
  afterEach(() => void jest.restoreAllMocks().useRealTimers());
  const lookEveryMs = 10_000;

  /** Two ledgers: a move may be done in one and not in the other. */
  const start = (prefix: string, options: Partial<AllOptions> = {}) =>
    TinyApp.start({
      options: {
        prefix,
        leaderboards: [
          { name: 'day', period: 'day' },
          { name: 'views', period: 'day', points: { view: 3 } },
        ],
        ...options,
      },
    });

  const usersOn = async (app: TinyApp, board: string) =>
    (await app.page(`/ranks/${board}`)).map(([, userId]) => userId);

  it.each([
    ['excluding', ['b'], (exclusions: Exclusions) => exclusions.exclude('a')],
    ['showing', ['a', 'b'], (exclusions: Exclusions) => exclusions.include('a')],
  ])('that is %s a user is finished by another instance where one died halfway', async (what, expected, change) => {
    const prefix = freshPrefix();
    const mortal = await start(prefix);
    // One that will be dead looks for nothing.
    await mortal.nest.get(PeriodicTasks).beforeApplicationShutdown();
    // Who settles nothing finishes it as well.
    const other = await start(prefix, { settlement: false });
    await mortal.record(
      ...['a', 'a', 'b'].map((userId, i) => ({
        userId,
        action: 'view',
        subject: `/${i}`,
        occurredAt: new Date(systemClock.now()),
      })),
    );
    if (what === 'showing') await mortal.nest.get(Exclusions).exclude('a');
    const [first, second] = mortal.nest.get(Ledgers).all;
    if (!first || !second) throw new Error('There are two ledgers.');
    // It dies when it comes to the second ledger: nothing more is heard of it.
    const reached = new Promise<void>((resolve) => {
      jest.spyOn(second.excluded, 'move').mockImplementation(() => {
        resolve();
        return new Promise(() => undefined);
      });
    });
    void change(mortal.nest.get(Exclusions));
    await reached;
    const before = await Promise.all([usersOn(other, 'day'), usersOn(other, 'views')]);
    expect(before).toEqual(expect.arrayContaining([['b'], ['a', 'b']]));
    expect(await testRedis().hkeys(exclusionKeys.unfinished(prefix))).toEqual(['a']);

    // At the first look it might still be at work.
    const unfinished = jest.spyOn(ExclusionRecords.prototype, 'unfinished');
    jest.advanceTimersByTime(lookEveryMs);
    await waitUntil(() => Promise.resolve(unfinished.mock.results.length === 1), { what: 'a look' });
    expect(await unfinished.mock.results[0]?.value).toEqual(['a']);
    expect(await Promise.all([usersOn(other, 'day'), usersOn(other, 'views')])).toEqual(before);
    jest.advanceTimersByTime(lookEveryMs);
    const key = exclusionKeys.unfinished(prefix);
    await waitUntil(async () => (await testRedis().hlen(key)) === 0, { what: 'the work to be done' });
    expect(await usersOn(other, 'day')).toEqual(expected);
    expect(await usersOn(other, 'views')).toEqual(expected);
    expect((await other.nest.get(Exclusions).find('a')).excluded).toBe(what === 'excluding');
  });

  it('ends where others change the user all the time, and what was said last takes effect by a look', async () => {
    const app = await start(freshPrefix());
    await app.record({ userId: 'a', action: 'view', subject: '/', occurredAt: new Date(systemClock.now()) });
    const exclusions = app.nest.get(Exclusions);
    let asked = 0;
    const others = jest.spyOn(ExclusionRecords.prototype, 'of').mockImplementation((userId) => {
      asked += 1;
      if (asked > 1_000) throw new Error('It never ends.');
      const one = {
        userId,
        reason: 'banned',
        source: 'operator',
        since: exclusions.now(),
        by: null,
        note: null,
      } as const;
      return Promise.resolve(asked % 2 === 0 ? [] : [one]);
    });
    await expect(exclusions.exclude('a')).rejects.toMatchObject({ code: 'unavailable' });
    expect(asked).toBeLessThan(100);
    others.mockRestore();
    const begun = jest.spyOn(ExclusionRecords.prototype, 'begin');
    const look = () => {
      jest.advanceTimersByTime(lookEveryMs);
      return Promise.resolve(begun.mock.calls.length > 0);
    };
    await waitUntil(look, { what: 'what is left to be taken up' });
    await app.nest.get(PeriodicTasks).beforeApplicationShutdown();
    expect(await usersOn(app, 'day')).toEqual([]);
    expect(await usersOn(app, 'views')).toEqual([]);
  });
});

const noon = Date.parse('2036-11-20T12:00:00Z');
const members = 30_000;
const name = (i: number) => `m${String(i).padStart(6, '0')}`;

const indexOf = (member = '') => Number(member.slice(1));
/** Five who follow one another, from a rank on. */
const numbered = (first: number, rank: number) => [0, 1, 2, 3, 4].map((p) => [name(first + p), rank + p]);

describe.each([1, 3])('the leader of a board of 30,000 on %d shards', (shards) => {
  it('is excluded and included under load, and the ranks of all others are right at every read', async () => {
    const prefix = freshPrefix();
    const open = () =>
      new Ledger(testRedis(), {
        prefix,
        shards,
        boards: [keptBoard('day'), keptBoard('month')],
        ledgerRetentionMs: null,
        clock: new ManualClock(noon + 3_600_000),
      });
    const ledger = open();
    const grant = (i: number, field: string, points: number): Transition => ({
      kind: 'grant',
      member: name(i),
      field,
      points,
      occurredAtMs: noon + i,
    });
    // The first of them leads, and member i stands at place i + 1: all have other points.
    for (let first = 0; first < members; first += 5_000) {
      await ledger.apply(Array.from({ length: 5_000 }, (_, i) => grant(first + i, 'base', 3 * (members - first - i))));
    }
    const today = Period.of('day', new Date(noon), 'UTC');
    const readers = Array.from({ length: 4 }, () => open().board('day', today));
    let isOver = false;
    let reads = 0;
    const seen = new Set<number>();
    const read = async (board: (typeof readers)[number], step: number): Promise<void> => {
      for (let i = 5 + step; !isOver; i = 5 + ((i * 7_919) % (members - 20))) {
        const top = await board.top(5);
        const first = indexOf(top[0]?.member);
        // With or without the leader: one or the other, for all of a page at once.
        expect([0, 1]).toContain(first);
        expect(top.map(({ member, rank }) => [member, rank])).toEqual(numbered(first, 1));
        seen.add(first);
        const rank = await board.rank(name(i));
        expect([i, i + 1]).toContain(rank);
        const around = await board.around(name(i + 2), { radius: 2 });
        expect(around.map(({ member }) => member)).toEqual([0, 1, 2, 3, 4].map((p) => name(i + p)));
        // By offset: on several shards it takes several round trips, and moves come in between.
        const page = await board.page({ offset: i }, 5);
        const shift = indexOf(page.entries[0]?.member) - i;
        expect([0, 1]).toContain(shift);
        expect(page.entries.map(({ member, rank: place }) => [member, place])).toEqual(numbered(i + shift, i + 1));
        // The next page by cursor begins where this one ended, although members moved since.
        const { entries } = await board.after(page.next, 5);
        const place = entries[0]?.rank ?? 0;
        expect([0, 1]).toContain(i + 5 + shift + 1 - place);
        expect(entries.map((entry) => [entry.member, entry.rank])).toEqual(numbered(i + 5 + shift, place));
        reads += 1;
      }
    };
    const write = async (): Promise<void> => {
      // Every member keeps their rank: one point more is not enough to pass another, and the leader goes on earning.
      for (let n = 0; !isOver; n++) {
        const i = (n * 104_729) % members;
        const batch = Array.from({ length: 20 }, (_, b) => grant((i + b) % members, 'load', 1));
        await ledger.apply([...batch, { ...grant(0, `l${n}`, 1) }]);
      }
    };
    const load = Promise.all([...readers.map((board, r) => read(board, r * 997)), write()]);
    let failures = 0;
    load.catch(() => (failures += 1));
    const mover = open();
    // To the end of a pair, so that the leader is back.
    for (let round = 0; round < 40 || round % 2 === 1 || (reads <= 50 && failures === 0); round++) {
      await mover.excluded.move(name(0), round % 2 === 0 ? 'aside' : 'onBoards');
      expect((await ledger.board('day', today).top(1))[0]?.member).toBe(name(round % 2 === 0 ? 1 : 0));
      expect(await ledger.board('day', today).size()).toBe(members - (round % 2 === 0 ? 1 : 0));
    }
    isOver = true;
    await load;
    expect(seen).toEqual(new Set([0, 1]));
    expect(reads).toBeGreaterThan(50);
    expect(await ledger.board('day', today).rank(name(0))).toBe(1);
    expect(await ledger.board('month', Period.of('month', new Date(noon), 'UTC')).size()).toBe(members);
  });
});
