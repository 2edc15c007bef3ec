import { Period, type Ledger, type LedgerLine, type Transition } from '@laurel/leaderboard';
import type { Redis } from 'ioredis';
import { ManualClock } from '../../support/clock';
import { keptBoard, keptLedger } from '../../support/ledger';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';

const start = Date.parse('2036-11-20T08:00:00.000Z');
const today = Period.parse('day', '2036-11-20', 'UTC');
const tomorrow = Period.parse('day', '2036-11-21', 'UTC');
const dayMs = 86_400_000;

describe.each([1, 3])('the lines of a ledger, on %d shards', (shards) => {
  let redis: Redis;
  let ledger: Ledger;
  const clock = new ManualClock(start);
  beforeAll(() => {
    redis = testRedis();
  });
  beforeEach(() => {
    clock.set(start + dayMs);
    ledger = keptLedger(redis, {
      prefix: freshPrefix(),
      shards,
      clock,
      boards: [keptBoard('day'), keptBoard('month')],
    });
  });
  afterAll(closeTestRedis);

  const grant = (field: string, atMs: number, more: Partial<Transition> = {}): Transition => {
    return { kind: 'grant', member: 'ann', field, points: 2, occurredAtMs: start + atMs, ...more };
  };
  const revoke = (field: string, atMs: number, more: Partial<Transition> = {}) =>
    grant(field, atMs, { kind: 'revoke', ...more });
  const lines = async (day = today): Promise<(readonly [string, number, number | null, number | null])[]> => {
    const since = (ms: number | null) => ms && ms - start;
    const all: LedgerLine[] = await ledger.history.lines('ann', day);
    return all.map(({ field, points, grantedAtMs, revokedAtMs }) => [
      field,
      points,
      since(grantedAtMs),
      since(revokedAtMs),
    ]);
  };

  it('name since a moment what was granted then, and what stood on its day before and was granted again', async () => {
    await ledger.apply([grant('before', 10), grant('again', 20), grant('ended', 30), revoke('ended', 40)]);
    await ledger.apply([grant('later', 60), grant('again', 70), grant('ended', 80), grant('before', dayMs)]);
    const since = async (atMs: number) =>
      (await ledger.grants.since('ann', start + atMs)).map(({ field, grantedAtMs }) => [field, grantedAtMs - start]);
    const found = await since(50);
    expect(found.sort()).toEqual([
      ['again', 70],
      ['before', dayMs],
      ['ended', 80],
      ['later', 60],
    ]);
    expect(await since(81)).toEqual([['before', dayMs]]);
  });

  it('tell the latest grant, and the earliest revoke that it does not outlast', async () => {
    await ledger.apply([grant('b', 20), grant('a', 30), grant('c', 10), revoke('c', 40)]);
    expect(await lines()).toEqual([
      ['c', 0, 10, 40],
      ['b', 2, 20, null],
      ['a', 2, 30, null],
    ]);
    await ledger.apply([revoke('c', 35), grant('b', 50), revoke('a', 30)]);
    expect(await lines()).toEqual([
      ['c', 0, 10, 40],
      ['a', 0, 30, 30],
      ['b', 2, 50, null],
    ]);
    await ledger.apply([grant('c', 60)]);
    expect((await lines()).at(-1)).toEqual(['c', 2, 60, null]);
  });

  it('know revokes of later days, of one day alone, and those that found nothing', async () => {
    await ledger.apply([grant('a', 10), grant('b', 20), revoke('c', 30), grant('d', 40, { sequence: 2 })]);
    await ledger.apply([
      revoke('a', dayMs),
      revoke('b', dayMs - 5, { grantedAtMs: start }),
      revoke('d', 40, { sequence: 1 }),
    ]);
    expect(await lines()).toEqual([
      ['a', 0, 10, dayMs],
      ['b', 0, 20, dayMs - 5],
      ['c', 0, null, 30],
      ['d', 2, 40, null],
    ]);
    expect(await lines(tomorrow)).toEqual([['a', 0, null, dayMs]]);
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
