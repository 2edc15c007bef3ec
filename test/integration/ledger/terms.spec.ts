import { Period, type Ledger, type Transition } from '@laurel/leaderboard';
import type { Redis } from 'ioredis';
import { keys, ledgerStem } from '../../support/keys';
import { longValue } from '../../../libs/leaderboard/src/ledger/model/field-value';
import { dayNumber } from '../../../libs/leaderboard/src/time/days';
import { ManualClock } from '../../support/clock';
import { dailyGrants } from '../../support/limits';
import { keptBoard, keptLedger, rawBoard } from '../../support/ledger';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';

const morning = '2036-11-20T08:00:00.000Z';
const today = Period.parse('day', '2036-11-20', 'UTC');

describe.each([1, 3])('terms, on %d shards', (shards) => {
  let redis: Redis;
  let prefix: string;
  const clock = new ManualClock(morning);
  beforeAll(() => {
    redis = testRedis();
  });
  beforeEach(() => {
    clock.set(morning);
    prefix = freshPrefix();
  });
  afterAll(closeTestRedis);

  const withTerms = (terms: string | null): Ledger =>
    keptLedger(redis, { prefix, shards, clock, terms, boards: [keptBoard('day'), keptBoard('month')] });
  const praise = (points: number, change: Partial<Transition> = {}): Transition => ({
    kind: 'grant',
    member: 'ann',
    field: 'p:article:7',
    points,
    occurredAtMs: clock.now(),
    ...change,
  });
  const apply = async (ledger: Ledger, transition: Transition) => {
    clock.advance(1_000);
    const [result] = await ledger.apply([transition]);
    return [result?.outcome, result?.points];
  };
  const fields = async (ledger: Ledger) => {
    const [day] = await ledger.history.days('ann', today, today);
    return day?.fields.map(({ field, points, version }) => ({ field, points, version }));
  };
  const raw = async (ledger: Ledger) => {
    const tag = ledger.settings.tags[ledger.shardOf('ann')] ?? '';
    const value = await redis.hget(`${ledgerStem(prefix, tag, '20361120')}ann`, 'p:article:7');
    return value && longValue(value, dayNumber('2036-11-20'));
  };
  const score = async (ledger: Ledger) => (await rawBoard(redis, ledger, 'day', today))[0]?.score ?? 0;

  it('keep their version for every process and start; other terms get the next, with their text and date', async () => {
    expect(await withTerms('a').terms.version()).toBe(1);
    expect(await withTerms('a').terms.version()).toBe(1);
    clock.set('2036-11-21T09:00:00Z');
    const b = withTerms('{"b":1}');
    await b.prepare();
    expect(await b.terms.version()).toBe(2);
    expect(await withTerms('c').terms.version()).toBe(3);
    expect(await withTerms('a').terms.version()).toBe(1);
    expect(await withTerms('{"b":1}').terms.version()).toBe(2);
    expect(await b.terms.all()).toEqual([
      { version: 1, since: new Date(morning), text: 'a' },
      { version: 2, since: new Date('2036-11-21T09:00:00Z'), text: '{"b":1}' },
      { version: 3, since: new Date('2036-11-21T09:00:00Z'), text: 'c' },
    ]);
    expect(await redis.exists(keys.terms(prefix))).toBe(1);
  });

  it('get one version each from many instances that start at once', async () => {
    const started = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const ledger = withTerms(`terms ${i % 3}`);
        await ledger.prepare();
        return [i % 3, await ledger.terms.version()] as const;
      }),
    );
    const versions = new Map(started);
    expect([...versions.values()].sort()).toEqual([1, 2, 3]);
    for (const [terms, version] of started) expect(version).toBe(versions.get(terms));
  });

  it('are not asked for by a ledger without any, whose data is of version 1', async () => {
    const ledger = withTerms(null);
    await ledger.prepare();
    await apply(ledger, praise(2));
    expect(await ledger.terms.version()).toBe(1);
    expect(await redis.exists(keys.terms(prefix))).toBe(0);
    expect(await fields(ledger)).toEqual([{ field: 'p:article:7', points: 2, version: 1 }]);
  });

  it('cost the ledger nothing while they are the first', async () => {
    const plain = withTerms(null);
    await apply(plain, praise(2));
    const before = await raw(plain);
    prefix = freshPrefix();
    clock.set(morning);
    const first = withTerms('first');
    await apply(first, praise(2));
    expect(await raw(first)).toBe(before);
    expect(before).toMatch(/^2;\d+$/);
  });

  it('are remembered with what is granted by them, and a change of points never rewrites that', async () => {
    const [old, now] = [withTerms('praise 2'), withTerms('praise 5')];
    await old.prepare();
    expect(await apply(old, praise(2))).toEqual(['granted', 2]);
    // Known already: it keeps its points.
    expect(await apply(now, praise(5))).toEqual(['duplicate', 0]);
    expect(await apply(now, praise(5, { field: 'p:article:8' }))).toEqual(['granted', 5]);
    expect(await fields(now)).toEqual([
      { field: 'p:article:7', points: 2, version: 1 },
      { field: 'p:article:8', points: 5, version: 2 },
    ]);
    expect(await score(now)).toBe(7);
  });

  it('take back what was granted by the old ones, and grant again by the new', async () => {
    const [old, now] = [withTerms('praise 2'), withTerms('praise 5')];
    await old.prepare();
    await apply(old, praise(2));
    expect(await apply(now, praise(5, { kind: 'revoke' }))).toEqual(['revoked', -2]);
    expect(await fields(now)).toEqual([{ field: 'p:article:7', points: 0, version: null }]);
    expect(await score(now)).toBe(0);
    expect(await apply(now, praise(5))).toEqual(['granted', 5]);
    expect(await fields(now)).toEqual([{ field: 'p:article:7', points: 5, version: 2 }]);
    // The process that still has the old rules takes back what stands.
    expect(await apply(old, praise(2, { kind: 'revoke' }))).toEqual(['revoked', -5]);
    expect(await apply(old, praise(2))).toEqual(['granted', 2]);
    expect(await fields(old)).toEqual([{ field: 'p:article:7', points: 2, version: 1 }]);
    expect(await score(old)).toBe(2);
  });

  it('stay with points that a repetition moves in time, on the same day and across days', async () => {
    const now = withTerms('second');
    await withTerms('first').prepare();
    await now.prepare();
    await apply(now, praise(5));
    expect(await apply(now, praise(5))).toEqual(['duplicate', 0]);
    expect(await apply(now, praise(5, { sequence: 3 }))).toEqual(['duplicate', 0]);
    expect(await fields(now)).toEqual([{ field: 'p:article:7', points: 5, version: 2 }]);
    clock.set('2036-11-22T08:00:00Z');
    const late = praise(9, { occurredAtMs: Date.parse(morning) + 60_000 });
    expect(await apply(withTerms('third'), late)).toEqual(['duplicate', 0]);
    expect(await fields(now)).toEqual([{ field: 'p:article:7', points: 5, version: 2 }]);
    expect(await apply(withTerms('third'), praise(9, { kind: 'revoke' }))).toEqual(['revoked', -5]);
  });

  it('of the revoke are those of a day that comes to count by it', async () => {
    const once = { onceInDays: 3 };
    const [old, now] = [withTerms('praise 2'), withTerms('praise 5')];
    await old.prepare();
    await apply(old, praise(2, once));
    clock.set('2036-11-21T08:00:00Z');
    expect(await apply(old, praise(2, once))).toEqual(['duplicate', 0]);
    const first = { grantedAtMs: Date.parse(morning), ...once };
    expect(await apply(now, praise(5, { kind: 'revoke', ...first }))).toEqual(['revoked', 3]);
    const days = await now.history.days('ann', today, Period.parse('day', '2036-11-21', 'UTC'));
    expect(days.map(({ fields: [field] }) => [field?.points, field?.version])).toEqual([
      [0, null],
      [5, 2],
    ]);
  });

  it('do not confuse limits that count what stands', async () => {
    const limits = [dailyGrants(1, 'p:')];
    const now = withTerms('second');
    await withTerms('first').prepare();
    expect(await apply(now, praise(10, { limits }))).toEqual(['granted', 10]);
    expect(await apply(now, praise(10, { limits, field: 'p:article:8' }))).toEqual(['limited', 0]);
    await apply(now, praise(10, { kind: 'revoke' }));
    expect(await apply(now, praise(10, { limits, field: 'p:article:8' }))).toEqual(['granted', 10]);
  });

  it('of a transition are those that it names, whatever the ledger was built with', async () => {
    const ledger = withTerms('a');
    await ledger.prepare();
    const other = await ledger.terms.versionOf('b');
    expect([other, await ledger.terms.version()]).toEqual([2, 1]);
    expect(await apply(ledger, praise(5, { version: other }))).toEqual(['granted', 5]);
    expect(await raw(ledger)).toMatch(/^5v2;/);
    await apply(ledger, praise(5, { kind: 'revoke', version: other }));
    // Judged in full, since the field is there: by its own terms as well.
    expect(await apply(ledger, praise(7, { version: other }))).toEqual(['granted', 7]);
    expect(await raw(ledger)).toMatch(/^7v2;/);
    await apply(ledger, praise(7, { kind: 'revoke' }));
    expect(
      await apply(
        ledger,
        praise(2, { limits: [{ type: 'daily', name: 'd', max: 9, count: { of: 'grants', fieldPrefixes: ['p:'] } }] }),
      ),
    ).toEqual(['granted', 2]);
    expect(await raw(ledger)).toMatch(/^2;/);
    await expect(ledger.apply([praise(1, { version: 0 })])).rejects.toThrow('version is 0');
  });
});
