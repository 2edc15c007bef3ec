import { LeaderboardError, type Ledger, Period, type Transition } from '@laurel/leaderboard';
import type { Redis } from 'ioredis';
import { ManualClock } from '../../support/clock';
import type { LawfulTransition } from '../../support/lawful-ledger';
import { keptBoard, keptLedger, rawBoard } from '../../support/ledger';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';

const redis = testRedis();
afterAll(closeTestRedis);

describe.each([1, 3])('a ledger on %d shards', (shards) => {
  const noon = Date.parse('2036-11-20T12:00:00Z');
  const today = Period.of('day', new Date(noon), 'UTC');
  const thisMonth = Period.of('month', new Date(noon), 'UTC');

  const praise = (change: Partial<Transition> = {}): Transition => ({
    kind: 'grant',
    member: 'ann',
    field: 'praise:article:7',
    points: 2,
    occurredAtMs: noon,
    ...change,
  });

  let redis: Redis;
  let prefix: string;
  const clock = new ManualClock(noon);
  const on = (client: Redis) =>
    keptLedger(client, { prefix, shards, clock, boards: [keptBoard('day'), keptBoard('month')] });

  beforeAll(() => {
    redis = testRedis();
  });
  beforeEach(() => {
    prefix = freshPrefix();
  });

  it('scores once when 256 copies of one event arrive over 16 connections at the same time', async () => {
    const ledgers = Array.from({ length: 16 }, () => on(testRedis()));
    const results = await Promise.all(
      Array.from({ length: 256 }, (_, i) => (ledgers[i % 16] as Ledger).apply([praise()])),
    );
    const outcomes = results.flat().map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'granted')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'duplicate')).toHaveLength(255);
    expect(await rawBoard(redis, on(redis), 'day', today)).toEqual([{ member: 'ann', score: 2, reachedAtMs: noon }]);
  });

  it('keeps boards equal to ledgers when a praise and its cancellation arrive 64 times at the same time', async () => {
    const ledgers = Array.from({ length: 16 }, () => on(testRedis()));
    const members = ['ann', 'bob', 'cho'];
    await Promise.all(
      members.flatMap((member) =>
        Array.from({ length: 64 }, (_, i) => [
          (ledgers[i % 16] as Ledger).apply([praise({ member, occurredAtMs: noon - i })]),
          (ledgers[(i + 7) % 16] as Ledger).apply([praise({ member, kind: 'revoke', occurredAtMs: noon - 32 - i })]),
        ]).flat(),
      ),
    );
    const ledger = on(redis);
    const sums = new Map<string, number>();
    for (const member of members) {
      const [day] = await ledger.history.days(member, today, today);
      sums.set(member, day?.fields.reduce((sum, field) => sum + field.points, 0) ?? 0);
    }
    // The latest praise is later than the latest cancellation: in the end it stands.
    expect([...sums.values()]).toEqual([2, 2, 2]);
    for (const [board, period] of [
      ['day', today],
      ['month', thisMonth],
    ] as const) {
      const found = await rawBoard(redis, ledger, board, period);
      expect(new Map(found.map(({ member, score }) => [member, score]))).toEqual(sums);
    }
  });

  it('takes a thousand transitions of many members in one call and answers in their order', async () => {
    const transitions = Array.from({ length: 1000 }, (_, i) =>
      praise({ member: `user-${i % 300}`, field: `view:/${i % 7}`, points: 1 + (i % 3) }),
    );
    const results = await on(redis).apply(transitions);
    const first = new Set<string>();
    transitions.forEach(({ member, field, points }, i) => {
      const isFirst = !first.has(`${member} ${field}`);
      first.add(`${member} ${field}`);
      expect(results[i]).toMatchObject(isFirst ? { outcome: 'granted', points } : { outcome: 'duplicate', points: 0 });
    });
  });

  it('answers with the score on each board after each transition of a call', async () => {
    const results = await on(redis).apply([
      praise(),
      praise({ field: 'view:/', points: 1 }),
      praise({ kind: 'revoke', occurredAtMs: noon + 1 }),
      praise({ kind: 'revoke', occurredAtMs: noon + 2 }),
    ]);
    expect(results).toEqual([
      { outcome: 'granted', points: 2, scores: { day: 2, month: 2 }, boards: { day: 'counted', month: 'counted' } },
      { outcome: 'granted', points: 1, scores: { day: 3, month: 3 }, boards: { day: 'counted', month: 'counted' } },
      { outcome: 'revoked', points: -2, scores: { day: 1, month: 1 }, boards: { day: 'counted', month: 'counted' } },
      {
        outcome: 'notGranted',
        points: 0,
        scores: { day: 1, month: 1 },
        boards: { day: 'unchanged', month: 'unchanged' },
      },
    ]);
  });

  it('refuses a malformed transition with what is wrong, and does nothing of its call', async () => {
    const malformed: [Partial<Transition>, RegExp][] = [
      [{ member: '' }, /member is a well-formed string of 1 to 128 bytes/],
      [{ member: 'x'.repeat(129) }, /1 to 128 bytes/],
      [{ member: '\ud800' }, /well-formed/],
      [{ field: 'é'.repeat(49) }, /field is a well-formed string of 1 to 96 bytes/],
      [{ id: '' }, /An id is a well-formed string of 1 to 96 bytes/],
      [{ points: 0.5 }, /worth 0.5 points/],
      [{ points: 1.5 }, /worth 1.5 points/],
      [{ occurredAtMs: Number.NaN }, /A moment is/],
      [{ sequence: -1 }, /sequence is -1/],
      [{ grantedAtMs: noon }, /grantedAtMs belongs to a revoke/],
      [{ field: 'adjust:1' }, /is that of an adjustment/],
      [{ kind: 'adjust', note: 'why' }, /adjustmentField/],
      [{ kind: 'adjust', field: 'adjust:1', points: 0, note: 'why' }, /other than 0/],
      [{ kind: 'adjust', field: 'adjust:1' }, /has a note/],
    ];
    for (const [change, message] of malformed) {
      const call = on(redis).apply([praise(), praise(change)]);
      await expect(call).rejects.toThrow(message);
      await expect(call).rejects.toThrow(LeaderboardError);
    }
    expect(await rawBoard(redis, on(redis), 'day', today)).toEqual([]);
  });

  it('is refused where its data lies in another number of shards, naming both and the command', async () => {
    await on(redis).prepare();
    await on(redis).prepare();
    const other = keptLedger(redis, { prefix, shards: shards + 1, boards: [keptBoard('day')] });
    await expect(other.prepare()).rejects.toThrow(
      new RegExp(`lies in ${shards} shards, but ${shards + 1} are configured: .*reshard --shards ${shards + 1}`),
    );
  });
});

describe('what counts once for good', () => {
  const noon = Date.parse('2037-01-20T12:00:00Z');
  const day = 86_400_000;

  function daysOf(ledger: ReturnType<typeof keptLedger>, daysLater: number) {
    const period = ledger.periods.of('day', noon + daysLater * day);
    return [period, period] as const;
  }

  const start = () => {
    const clock = new ManualClock(noon);
    const boards = [keptBoard('day', 3_600_000), keptBoard('month', 3_600_000), keptBoard('all')];
    const ledger = keptLedger(redis, { prefix: freshPrefix(), boards, clock });
    const send = async (kind: 'grant' | 'revoke', daysLater: number, more: Partial<LawfulTransition> = {}) => {
      const occurredAtMs = noon + daysLater * day;
      clock.set(Math.max(clock.now(), occurredAtMs));
      const full = { kind, member: 'ann', field: 'publish:1', points: 10, occurredAtMs, onceInDays: Infinity, ...more };
      const [result] = await ledger.apply([full]);
      return `${result?.outcome} ${result?.points}`;
    };
    const total = async () => (await ledger.board('all', ledger.periods.of('all')).entry('ann'))?.score ?? 0;
    return { ledger, clock, send, total };
  };

  it('earns nothing again, tomorrow or when no ledger knows it any more', async () => {
    const { send, total } = start();
    expect(await send('grant', 0)).toBe('granted 10');
    expect(await send('grant', 0)).toBe('duplicate 0');
    expect(await send('grant', 1)).toBe('duplicate 0');
    expect(await send('grant', 40)).toBe('duplicate 0');
    expect(await send('grant', 900)).toBe('duplicate 0');
    expect(await total()).toBe(10);
  });

  it('is taken back by any later revoke, and may then be earned again, on its first day', async () => {
    const { ledger, send, total } = start();
    await send('grant', 0);
    expect(await send('revoke', 50)).toBe('revoked -10');
    expect(await send('grant', 55)).toBe('granted 10');
    expect(await send('grant', 86)).toBe('duplicate 0');
    expect(await total()).toBe(10);
    const [found] = await ledger.history.days('ann', ...daysOf(ledger, 0));
    expect(found?.fields).toMatchObject([{ points: 10 }]);
  });

  it('moves to the earlier day where that is heard of later', async () => {
    const { ledger, send, total } = start();
    await send('grant', 3);
    expect(await send('grant', 1)).toBe('duplicate 0');
    const [early] = await ledger.history.days('ann', ...daysOf(ledger, 1));
    expect(early?.fields).toMatchObject([{ points: 10 }]);
    expect(await send('revoke', 2)).toBe('notGranted 0');
    expect(await send('revoke', 4, { grantedAtMs: noon + day })).toBe('revoked -10');
    expect(await total()).toBe(0);
  });

  it('waits for no other field, member or rule', async () => {
    const { send } = start();
    await send('grant', 0);
    expect(await send('grant', 1, { field: 'publish:2' })).toBe('granted 10');
    expect(await send('grant', 1, { member: 'bob' })).toBe('granted 10');
    expect(await send('grant', 1, { field: 'view:1', onceInDays: 3 })).toBe('granted 10');
    expect(await send('grant', 1, { field: 'praise:1', onceInDays: 1 })).toBe('granted 10');
  });

  it('judges many days of one field in one call', async () => {
    const { ledger, clock, total } = start();
    clock.set(noon + 30 * day);
    const common = { kind: 'grant', member: 'ann', field: 'publish:1', points: 10, onceInDays: Infinity } as const;
    const grants = Array.from({ length: 30 }, (_, i) => ({ ...common, occurredAtMs: noon + (30 - i) * day }));
    const results = await ledger.apply(grants);
    expect(results.map(({ outcome }) => outcome)).toEqual(['granted', ...grants.slice(1).map(() => 'duplicate')]);
    expect(await total()).toBe(10);
    const again = await ledger.apply(grants);
    expect(again.map(({ outcome }) => outcome)).toEqual(grants.map(() => 'duplicate'));
  });
});

describe('transitions with ids', () => {
  const noon = Date.parse('2037-01-20T12:00:00Z');
  const day = 86_400_000;

  let redis: Redis;
  beforeAll(() => {
    redis = testRedis();
  });

  const start = () => {
    const clock = new ManualClock(noon);
    const ledger = keptLedger(redis, { prefix: freshPrefix(), boards: [keptBoard('day'), keptBoard('all')], clock });
    const send = async (
      kind: 'grant' | 'revoke',
      id: string,
      daysLater: number,
      more: Partial<LawfulTransition> = {},
    ) => {
      const occurredAtMs = noon + daysLater * day;
      clock.set(Math.max(clock.now(), occurredAtMs));
      const field = `p:1#${id}`;
      const [result] = await ledger.apply([{ kind, id, member: 'ann', field, points: 2, occurredAtMs, ...more }]);
      return `${result?.outcome} ${result?.points}`;
    };
    const total = async () => (await ledger.board('all', ledger.periods.of('all')).entry('ann'))?.score ?? 0;
    return { send, total };
  };

  it('count once whatever their date', async () => {
    const { send, total } = start();
    expect(await send('grant', 'a', 0)).toBe('granted 2');
    expect(await send('grant', 'a', 0)).toBe('duplicate 0');
    expect(await send('grant', 'a', 1)).toBe('duplicate 0');
    expect(await send('grant', 'b', 1)).toBe('granted 2');
    expect(await send('grant', 'a', 900)).toBe('duplicate 0');
    expect(await total()).toBe(4);
  });

  it('are taken back by a revoke of the same id alone, and come back no more', async () => {
    const { send, total } = start();
    await send('grant', 'a', 0);
    await send('grant', 'b', 1);
    expect(await send('revoke', 'b', 2)).toBe('revoked -2');
    expect(await total()).toBe(2);
    expect(await send('revoke', 'b', 2)).toBe('duplicate 0');
    expect(await send('grant', 'b', 4)).toBe('duplicate 0');
    expect(await send('revoke', 'a', 4)).toBe('revoked -2');
    expect(await total()).toBe(0);
  });

  it('that were revoked before they are heard of give nothing', async () => {
    const { send, total } = start();
    expect(await send('revoke', 'a', 3)).toBe('notGranted 0');
    expect(await send('grant', 'a', 2)).toBe('notGranted 0');
    expect(await send('grant', 'a', 3)).toBe('duplicate 0');
    expect(await total()).toBe(0);
  });

  it('that a limit refused may be tried again on their day', async () => {
    const { send } = start();
    const limits = [{ type: 'sliding', name: 'slow', max: 1, windowMs: 1_000, per: 'member' }] as const;
    const later = { limits, occurredAtMs: noon + 5_000 };
    expect(await send('grant', 'a', 0, { limits })).toBe('granted 2');
    expect(await send('grant', 'b', 0, { limits })).toBe('limited 0');
    expect(await send('grant', 'c', 1, later)).toBe('granted 2');
    expect(await send('grant', 'b', 1, { ...later, occurredAtMs: noon + 7_000 })).toBe('granted 2');
    expect(await send('grant', 'b', 1, later)).toBe('duplicate 0');
  });
});
