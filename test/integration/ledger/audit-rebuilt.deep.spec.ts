import { LedgerAudit, type Ledger } from '@laurel/leaderboard';
import { RebuiltEntries } from '@laurel/leaderboard/internals';
import { keys } from '../../support/keys';
import { withBetween } from '../../support/between-trips';
import { ManualClock } from '../../support/clock';
import { keptBoard, keptLedger } from '../../support/ledger';
import { mentions } from '../../support/mentions';
import { ownRedis } from '../../support/own-servers';
import { freshPrefix } from '../../support/redis';
import { announceSeed, drawer } from '../../support/seed';

const hourMs = 3_600_000;
const now = Date.parse('2036-11-20T12:00:00Z');

beforeAll(announceSeed);
/** Of this file alone: an audit looks through all keys, and is tried at each of its steps. */
const server = ownRedis();

describe.each([1, 3])('what a rebuild replaces, on %d shards', (shards) => {
  const timezone = 'Europe/Berlin';
  let prefix: string;
  let ledger: Ledger;

  const ledgerIn = (zone: string, redis = server.client) =>
    keptLedger(redis, {
      ...{ prefix, shards, timezone: zone },
      clock: new ManualClock(now),
      boards: [{ ...keptBoard('day'), freezes: true }, keptBoard('month')],
    });

  const grant = (member: string, field: string, occurredAtMs: number) => ({
    kind: 'grant' as const,
    ...{ member, field, points: 2, occurredAtMs },
  });

  const audit = async (of: Ledger, heals: boolean) =>
    new LedgerAudit(server.client, of, { countsOn: () => null, heals }).run();

  /** Every board and what lies beside, as Redis has it. */
  async function raw(): Promise<Record<string, readonly string[]>> {
    const redis = server.client;
    const found = (await redis.keys(`{${prefix}:*}:board:*`)).sort();
    const entries = found.map(async (key) => [key, await redis.zrange(key, '0', '-1', 'WITHSCORES')] as const);
    return Object.fromEntries(await Promise.all(entries));
  }

  const dayKeyOf = (member: string) =>
    keys.board(prefix, ledger.settings.tags[ledger.shardOf(member)] as string, 'day', '2036-11-20');

  beforeEach(async () => {
    prefix = freshPrefix();
    ledger = ledgerIn(timezone);
    await ledger.prepare();
    const draw = drawer();
    // Repeated grants move their moments on: ledgers alone no longer say when a score was reached.
    await ledger.apply(
      Array.from({ length: 300 }, () =>
        grant(`user ${draw(30)}`, `v:${draw(6)}`, now - draw(30) * hourMs - draw(1000)),
      ),
    );
  });

  it.each(['UTC', 'America/New_York', 'Asia/Shanghai'])(
    'is restored to the moment by a rebuild in the right zone after one in %s, and verify tells it until then',
    async (zone) => {
      const before = await raw();
      const wrong = await audit(ledgerIn(zone), true);
      expect(wrong.healed).toBeGreaterThan(0);
      expect(await raw()).not.toEqual(before);
      expect((await audit(ledger, false)).differences).toBeGreaterThan(0);
      await audit(ledger, true);
      expect(await raw()).toEqual(before);
      expect(await audit(ledger, false)).toMatchObject({ differences: 0 });
    },
  );

  it('is of no erased user: a rebuild between any two steps of an erasure leaves nothing of them, nor does putting back', async () => {
    const redis = server.client;
    const erasing = ledgerIn(timezone, redis);
    const kept = new RebuiltEntries(redis, ledger);
    let isWorking = true;
    for (let trip = 1; isWorking; trip++) {
      const name = `ann ${trip}.`;
      await ledger.apply([grant(name, 'v:1', now), grant(name, 'v:2', now - 30 * hourMs)]);
      await redis.zincrby(dayKeyOf(name), 2 ** 33, name);
      await audit(ledger, true);
      isWorking = false;
      const work = async () => {
        isWorking = true;
        await kept.restore();
        await audit(ledger, true);
        await kept.restore();
      };
      await withBetween(redis, { trip, work }, () => erasing.erasure.erase(name));
      expect([trip, await mentions(redis, prefix, name)]).toEqual([trip, []]);
      expect(await audit(ledger, false)).toMatchObject({ differences: 0 });
    }
  });

  it('is put back: what was changed, what was removed, and what was not there', async () => {
    const redis = server.client;
    const [, first] = await redis.zrange(dayKeyOf('user 1'), '0', '0', 'WITHSCORES');
    await redis.zincrby(dayKeyOf('user 1'), 2 ** 33, 'user 1');
    await redis.zrem(dayKeyOf('user 2'), 'user 2');
    await redis.zadd(dayKeyOf('nobody'), String(first), 'nobody');
    const before = await raw();
    expect(await audit(ledger, true)).toMatchObject({ healed: 3 });
    // Another rebuild keeps what was there before the first.
    await redis.zincrby(dayKeyOf('user 1'), 2 ** 34, 'user 1');
    await audit(ledger, true);
    const kept = new RebuiltEntries(redis, ledger);
    expect(await kept.restore()).toEqual({ restored: 3, changed: 0, final: 0 });
    expect(await raw()).toEqual(before);
    expect(await redis.keys(`{${prefix}:*}:rebuilt:*`)).toEqual([]);
    expect(await kept.restore()).toEqual({ restored: 0, changed: 0, final: 0 });
  });

  it('is not put back over what was recorded since, nor on a settled board, nor where a user shows no more', async () => {
    const redis = server.client;
    for (const user of ['user 1', 'user 2', 'user 3']) await redis.zincrby(dayKeyOf(user), 2 ** 33, user);
    await audit(ledger, true);
    await ledger.apply([grant('user 1', 'v:new', now)]);
    await ledger.excluded.move('user 3', 'aside');
    const recorded = await redis.zscore(dayKeyOf('user 1'), 'user 1');
    const kept = new RebuiltEntries(redis, ledger);
    expect(await kept.restore()).toEqual({ restored: 1, changed: 2, final: 0 });
    expect(await redis.zscore(dayKeyOf('user 1'), 'user 1')).toBe(recorded);
    expect(await redis.zscore(dayKeyOf('user 3'), 'user 3')).toBeNull();
    await redis.zincrby(dayKeyOf('user 4'), 2 ** 33, 'user 4');
    await audit(ledger, true);
    await ledger.periods.freeze('day', ledger.periods.parse('day', '2036-11-20'));
    const settled = await raw();
    expect(await kept.restore()).toMatchObject({ restored: 0 });
    expect(await raw()).toEqual(settled);
  });

  it('goes when it is dropped, and with the user who is erased', async () => {
    const redis = server.client;
    for (const user of ['user 1', 'user 2']) await redis.zincrby(dayKeyOf(user), 2 ** 33, user);
    await audit(ledger, true);
    await ledger.erasure.erase('user 1');
    const left = await redis.keys(`{${prefix}:*}:rebuilt:*`);
    expect(left.map((key) => key.slice(key.indexOf('rebuilt:')))).toEqual(['rebuilt:user 2']);
    expect(await new RebuiltEntries(redis, ledger).drop()).toBe(1);
    expect(await redis.keys(`{${prefix}:*}:rebuilt:*`)).toEqual([]);
  });
});
