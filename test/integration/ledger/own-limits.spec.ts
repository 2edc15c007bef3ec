import { LeaderboardError, Period, type Transition } from '@laurel/leaderboard';
import type { Redis } from 'ioredis';
import { keys } from '../../support/keys';
import { ManualClock } from '../../support/clock';
import { keptBoard, keptLedger } from '../../support/ledger';
import { atMost, spaced } from '../../support/limits';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';

const noon = Date.parse('2036-11-20T12:00:00Z');
const day = 86_400_000;

describe('a limit of the caller’s own', () => {
  let redis: Redis;
  beforeAll(() => {
    redis = testRedis();
  });
  afterAll(closeTestRedis);

  const withTypes = (limitTypes = [spaced, atMost]) =>
    keptLedger(redis, {
      prefix: freshPrefix(),
      clock: new ManualClock(noon + day),
      boards: [keptBoard('day')],
      limitTypes,
    });
  const grant = (field: string, offsetMs: number, everyMs = 1000): Transition => ({
    kind: 'grant',
    member: 'ann',
    field,
    points: 1,
    occurredAtMs: noon + offsetMs,
    limits: [{ type: 'own', name: 'pause', kind: 'spaced' }],
    prepared: [{ keys: ['any'], args: [everyMs] }],
  });

  it('runs in the script, to the millisecond, and tells when it allows again', async () => {
    const own = withTypes();
    const results = await own.apply([grant('a', 0), grant('b', 999), grant('b', 1000), grant('b', 1001)]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['granted', 'limited', 'granted', 'duplicate']);
    expect(results[1]).toMatchObject({
      reason: 'pause',
      refusal: { limit: 'pause', allowedAgainAtMs: noon + 1000 },
    });
  });

  it('stops the start where its Lua cannot be compiled', async () => {
    await expect(withTypes([{ type: 'broken', check: 'return +' }]).prepare()).rejects.toThrow(/compiling script/i);
  });

  it('refuses where it fails, says what failed, and harms nobody else', async () => {
    const failing = withTypes([
      { type: 'spaced', check: `return call('LPUSH', keys[1], 'x') and nil or call('GET', keys[1])` },
      atMost,
    ]);
    const results = await failing.apply([
      { ...grant('a', 0), limits: [] },
      grant('b', 1),
      { ...grant('c', 2), limits: [{ type: 'own', name: 'gone', kind: 'unknown' }] },
      { ...grant('d', 3), limits: [] },
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['granted', 'limited', 'limited', 'granted']);
    expect(results[1]?.refusal).toMatchObject({ limit: 'pause', allowedAgainAtMs: null });
    expect(results[1]?.refusal?.fault).toMatch(/WRONGTYPE/);
    expect(results[2]?.refusal?.fault).toMatch(/nil/);
    const failsToTake = withTypes([{ type: 'spaced', check: 'return nil', take: `error('no room')` }]);
    const [untaken] = await failsToTake.apply([grant('a', 0)]);
    expect(untaken?.refusal?.fault).toMatch(/no room/);
    const today = Period.of('day', new Date(noon), 'UTC');
    expect((await failsToTake.history.days('ann', today, today))[0]?.fields).toEqual([]);
  });

  it('gives back its place where another then fails to take its own, and keeps it without an undo', async () => {
    const undone = { ...atMost, type: 'undone', undo: `call('DECR', keys[1])` };
    const fails = {
      type: 'fails',
      check: 'return nil',
      take: `error('no room')`,
      undo: `call('SET', keys[1], 'wrong')`,
    };
    const own = withTypes([atMost, undone, fails]);
    const kinds = ['undone', 'at-most', 'undone', 'fails'];
    const limits = kinds.map((kind, i) => ({ type: 'own' as const, name: `n${i}`, kind }));
    const prepared = kinds.map(() => ({ keys: ['k'], args: [1] }));
    const [refused] = await own.apply([{ ...grant('a', 0), limits, prepared }]);
    expect(refused).toMatchObject({ outcome: 'limited', reason: 'n3', refusal: { limit: 'n3' } });
    const { prefix, tags } = own.settings;
    const found = limits.map(({ name }) => redis.get(keys.ownLimit(prefix, tags[0] as string, name, 'ann', 'k')));
    expect(await Promise.all(found)).toEqual(['0', '1', '0', null]);
  });

  it('is refused at the start where two share a type, or one is malformed', () => {
    expect(() => withTypes([spaced, spaced])).toThrow(LeaderboardError);
    expect(() => withTypes([spaced, spaced])).toThrow(/Two limitTypes are of the type "spaced"/);
    expect(() => withTypes([{ type: "x'] = 1", check: 'return' }])).toThrow(/limitTypes\[\].type is/);
    expect(() => withTypes([{ type: 'x', check: ' ' }])).toThrow(/check is empty/);
  });

  it('is refused what it is prepared with where that is malformed', async () => {
    for (const prepared of [
      { keys: ['\ud800'], args: [] },
      { keys: [], args: [Infinity] },
      { keys: Array<string>(9).fill('k'), args: [] },
    ]) {
      await expect(withTypes().apply([{ ...grant('a', 0), prepared: [prepared] }])).rejects.toThrow(
        /A limit is prepared/,
      );
    }
  });
});
