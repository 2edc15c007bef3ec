import { type Ledger, type LedgerBoard, Period, systemClock, type Transition } from '@laurel/leaderboard';
import type { LawfulTransition } from '../../support/lawful-ledger';
import { grantsAt, keptBoard, keptLedger, rawBoard } from '../../support/ledger';
import { dayMs, freshPrefix, hourMs, ManualClock, mentions, testRedis } from '../../support';

const redis = testRedis();

const lastMoment = Date.parse('2036-11-30T23:59:59.999Z');
const november30 = Period.parse('day', '2036-11-30', 'UTC');
const november = Period.parse('month', '2036-11', 'UTC');

const praise = (change: Partial<Transition> = {}) =>
  grantsAt(lastMoment)('ann', 'praise:article:7', { points: 2, ...change });

describe('a praise whose day closes while its month is open', () => {
  const november29 = Period.parse('day', '2036-11-29', 'UTC');
  const november28 = Period.parse('day', '2036-11-28', 'UTC');
  const givenMs = Date.parse('2036-11-29T12:00:00Z');
  const closesMs = Date.parse('2036-11-30T01:00:00Z');
  let ledger: Ledger;
  const clock = new ManualClock(givenMs);
  beforeEach(async () => {
    clock.set(givenMs);
    ledger = keptLedger(redis, { clock, boards: [keptBoard('day', hourMs), keptBoard('month', hourMs)] });
    await ledger.apply([praise({ occurredAtMs: givenMs })]);
  });

  const score = async (board: string, period: Period) => (await rawBoard(redis, ledger, board, period))[0]?.score ?? 0;
  const scores = async () => ({ day: await score('day', november29), month: await score('month', november) });
  const cancel = (change: Partial<Transition> = {}) =>
    ledger.apply([praise({ kind: 'revoke', occurredAtMs: clock.now(), ...change })]);

  it.each([
    ['leaves both when it is cancelled in the last millisecond', closesMs - 1, { day: 0, month: 0 }],
    ['leaves the month alone when it is cancelled a millisecond later', closesMs, { day: 2, month: 0 }],
  ])('%s', async (_, atMs, left) => {
    clock.set(atMs);
    expect(await cancel()).toMatchObject([{ outcome: 'revoked', points: -2 }]);
    expect(await scores()).toEqual(left);
    clock.advance(1);
    expect(await cancel()).toMatchObject([{ outcome: 'notGranted', points: 0 }]);
    expect(await scores()).toEqual(left);
  });

  it('leaves the month alone too when its closed day is named', async () => {
    clock.set(closesMs);
    expect(await cancel({ grantedAtMs: givenMs })).toMatchObject([
      { outcome: 'revoked', points: -2, scores: { month: 0 } },
    ]);
    expect(await scores()).toEqual({ day: 2, month: 0 });
  });

  it('takes nothing from its day that came too late for it', async () => {
    clock.set(closesMs);
    const field = 'praise:article:8';
    const late = praise({ field, occurredAtMs: givenMs });
    expect(await ledger.apply([late])).toMatchObject([{ outcome: 'granted', points: 2, scores: { month: 4 } }]);
    expect(await cancel({ field })).toMatchObject([{ outcome: 'revoked', points: -2 }]);
    expect(await scores()).toEqual({ day: 2, month: 2 });
  });

  it('leaves, with those of other days, each the boards on which it was given', async () => {
    clock.set(givenMs + hourMs);
    await ledger.apply([praise({ occurredAtMs: givenMs - 12 * hourMs - 1 })]);
    clock.set(closesMs - hourMs);
    await ledger.apply([praise({ occurredAtMs: clock.now() })]);
    const all = async () => [await score('day', november28), await scores(), await score('day', november30)];
    // The 28th was closed when its praise came.
    expect(await all()).toEqual([0, { day: 2, month: 6 }, 2]);
    clock.set(closesMs);
    expect(await cancel()).toMatchObject([{ outcome: 'revoked', points: -6 }]);
    expect(await all()).toEqual([0, { day: 2, month: 0 }, 0]);
  });
});

describe('an activity counts by when it occurred', () => {
  const clock = new ManualClock(lastMoment);

  const newLedger = (...others: LedgerBoard[]) =>
    keptLedger(redis, {
      clock,
      boards: [keptBoard('day', hourMs), keptBoard('month', 2 * hourMs), ...others],
      ledgerRetentionMs: 31 * 24 * hourMs,
    });

  it.each([
    ['as far ahead as hosts may disagree', 300_000, 'granted'],
    ['a millisecond further not', 300_001, 'rejected'],
  ] as const)('%s', async (_, ahead, outcome) => {
    clock.set(lastMoment);
    const period = { kind: 'contest', from: '2036-11-01', to: '2036-11-30' } as const;
    const ledger = newLedger({ ...keptBoard('day'), name: 'contest', period });
    const [result] = await ledger.apply([praise({ occurredAtMs: lastMoment + ahead })]);
    expect(result?.outcome).toBe(outcome);
    const [ended] = await ledger.apply([praise({ kind: 'revoke', grantedAtMs: lastMoment + ahead })]);
    expect(ended?.outcome).toBe(outcome === 'granted' ? 'notGranted' : outcome);
    if (outcome !== 'rejected') return;
    const boards = { day: 'refused', month: 'refused', contest: 'ended' };
    expect(result).toEqual({ outcome, points: 0, scores: {}, boards, reason: 'future' });
  });

  it('tells which boards are frozen, also of other days that it changes', async () => {
    clock.set(lastMoment + 1 + hourMs / 2);
    const ledger = newLedger();
    await ledger.apply([praise(), praise({ field: 'praise:article:8' })]);
    await ledger.periods.freeze('day', Period.of('day', new Date(lastMoment), 'UTC'));
    const cancelled = { kind: 'revoke' as const, occurredAtMs: lastMoment + 2 };
    expect(await ledger.apply([praise(), praise({ field: 'praise:article:9' }), praise(cancelled)])).toMatchObject([
      { outcome: 'duplicate', boards: { day: 'closed', month: 'unchanged' } },
      { outcome: 'granted', scores: { month: 6 }, boards: { day: 'closed', month: 'counted' }, late: ['month'] },
      { outcome: 'revoked', points: -2, boards: { day: 'closed', month: 'counted' } },
    ]);
  });
});

it('what an owner is given on a board that closes later than the giver’s is given late too, and goes with the praise', async () => {
  const clock = new ManualClock('2036-11-20T12:00:00Z');
  const owners = { ...keptBoard('month'), name: 'owners' };
  const given: LawfulTransition = {
    ...{ kind: 'grant', member: 'ann', field: 'p:1', points: 2, occurredAtMs: clock.now(), boards: ['day'] },
    ...{ gift: { member: 'bob', points: 3 }, giftBoards: ['owners'] },
  };
  const ledger = keptLedger(testRedis(), { clock, boards: [keptBoard('day', 0), owners] });
  const score = () => ledger.board('owners', ledger.periods.of('owners')).score('bob');
  clock.set('2036-11-22T12:00:00Z');
  await ledger.apply([given]);
  expect(await score()).toBe(3);
  const ended = await ledger.apply([{ ...given, kind: 'revoke', occurredAtMs: clock.now() }]);
  expect([ended, await score()]).toMatchObject([[{ points: 0 }], null]);
  const other = { ...given, field: 'p:2' };
  await ledger.apply([other, other]);
  expect(await score()).toBe(3);
  await ledger.apply([{ ...other, kind: 'revoke', grantedAtMs: given.occurredAtMs, occurredAtMs: clock.now() }]);
  expect(await score()).toBeNull();
});

it.each([
  ['its hour', 'hour', 0, {}, 3],
  ['the hour before, closing', 'hour', hourMs, {}, 3],
  ['an hour that has closed', 'hour', 5 * hourMs, {}, 0],
  ['an hour that has closed, judged', 'hour', 5 * hourMs, { onceInDays: 3 }, 0],
  ['a contest that is over', { kind: 'contest', from: '2036-11-01', to: '2036-11-02' }, 0, {}, 0],
] as const)('gifts count in %s or not, stay there, and name nobody erased', async (_, period, lateMs, more, points) => {
  const [prefix, now] = [freshPrefix(), lastMoment - 8 * hourMs];
  const clock = new ManualClock(now);
  const gifts = { ...keptBoard('day', hourMs), name: 'gifts', period };
  const ledger = keptLedger(redis, { prefix, clock, shards: 3, boards: [keptBoard('day'), gifts] });
  const given: LawfulTransition = {
    ...{ ...praise(), ...more, occurredAtMs: now - lateMs, boards: ['day'] },
    ...{ gift: { member: 'zoe', points: 3 }, giftBoards: ['gifts'] },
  };
  const score = () => ledger.board('gifts', ledger.periods.of('gifts', given.occurredAtMs)).score('zoe');
  const gift = { outcome: points > 0 ? 'granted' : 'closed', points };
  expect(await ledger.apply([given])).toMatchObject([{ outcome: 'granted', gift }]);
  expect(await score()).toBe(points || null);
  const history = () => ledger.history.days('zoe', november30, november30);
  const before = await history();
  clock.advance(4 * hourMs);
  for (const kind of ['hold', 'release'] as const) await ledger.apply([praise({ kind, id: 'h', occurredAtMs: 0 })]);
  expect([await history(), await score()]).toEqual([before, points || null]);
  clock.set(now);
  await ledger.apply([{ ...given, kind: 'revoke' }]);
  expect(await score()).toBeNull();
  await ledger.apply([{ ...given, member: 'bob' }]);
  await ledger.erasure.erase('zoe');
  expect(await mentions(redis, prefix, 'zoe')).toEqual([]);
});

it('what counts once for ever is taken back also when the ledger of its day has gone', async () => {
  const [prefix, clock] = [freshPrefix(), new ManualClock(lastMoment)];
  const ledger = keptLedger(redis, { prefix, clock, boards: [keptBoard('all')], ledgerRetentionMs: dayMs });
  const once: LawfulTransition = { ...praise(), onceInDays: Infinity };
  await ledger.apply([once]);
  clock.advance(10 * dayMs);
  await redis.del(...(await redis.keys(`{${prefix}:*}:ledger:*`)));
  await ledger.apply([{ ...once, kind: 'revoke', occurredAtMs: clock.now() }]);
  expect(await ledger.board('all', ledger.periods.of('all')).score('ann')).toBeNull();
});

describe.each([1, 3])('a settled period that is kept, on %d shards', (shards) => {
  const retained = { retentionMs: 31 * dayMs, latenessMs: hourMs };
  const boards = [
    { name: 'day', period: 'day', ...retained },
    { name: 'team', period: 'day', partition: 'team', ...retained },
  ] as const;

  it('stays beyond its retention, also for members who move or are erased then, until it is let go', async () => {
    // Redis drops boards by its own clock.
    const clock = new ManualClock(Math.floor(systemClock.now() / dayMs) * dayMs);
    const prefix = freshPrefix();
    const ledger = keptLedger(redis, { prefix, clock, boards, shards });
    await ledger.apply(
      Object.entries({ ann: 4, bob: 3, cho: 2, dan: 1 }).map(([member, own]) =>
        praise({ member, points: own, occurredAtMs: clock.now(), partitions: { team: 'red' } }),
      ),
    );
    const day = ledger.periods.of('day');
    const endMs = (day.end as Date).getTime();
    await ledger.excluded.move('cho', 'aside');
    clock.advance(2 * dayMs);
    await ledger.apply([praise({ member: 'eve', occurredAtMs: clock.now() })]); // of a day that nobody keeps
    const untilMs = clock.now() + 400 * dayMs;
    for (const { name } of boards) {
      await ledger.periods.freeze(name, day);
      await ledger.periods.keep(name, day, untilMs);
      expect(await ledger.periods.markSettled(name, day)).toBe(true);
    }
    clock.advance(40 * dayMs);
    await ledger.excluded.move('ann', 'aside');
    await ledger.excluded.move('cho', 'onBoards');
    expect(await ledger.erasure.erase('bob')).toMatchObject({ boards: 2 });
    const tops = () =>
      Promise.all(
        [ledger.board('day', day), ledger.board('team', day, 'red'), ledger.aside('team', day, 'red')].map(
          async (board) => (await board.top(9)).map(({ member, rank }) => `${rank} ${member}`),
        ),
      );
    expect(await tops()).toEqual([['1 cho', '2 dan'], ['1 cho', '2 dan'], ['1 ann']]);
    expect(await ledger.periods.written('day', { limit: 1 })).toEqual([day]);
    expect(await ledger.periods.stateOf('team', day)).toBe('settled');
    const expiries = async () => {
      const found = await redis.keys(`{${prefix}:*}:*${day.key}*`);
      return [...new Set(await Promise.all(found.map((key) => redis.pexpiretime(key))))];
    };
    expect(await expiries()).toEqual([untilMs]);
    for (const { name } of boards) await ledger.periods.keep(name, day, Infinity);
    expect(await expiries()).toEqual([-1]);
    expect(await ledger.periods.written('day')).toEqual([day]);
    for (const { name } of boards) await ledger.periods.keep(name, day, 0);
    expect(await expiries()).toEqual([endMs + 31 * dayMs]);
    expect(await ledger.periods.written('day')).toEqual([]);
    for (const { name } of boards) await ledger.periods.markSettled(name, ledger.periods.of(name));
    expect(await redis.zrange(`{${prefix}}:settled:day`, '0', '-1')).toEqual([ledger.periods.of('day').key]);
  });
});
