import type { Ledger, TransitionLimit } from '@laurel/leaderboard';
import type { Redis } from 'ioredis';
import { keys } from '../../support/keys';
import { shardTags } from '@laurel/leaderboard/internals';
import { ManualClock } from '../../support/clock';
import { differencesOf } from '../../support/differences';
import type { LawfulTransition as Transition } from '../../support/lawful-ledger';
import { keptBoard, keptLedger } from '../../support/ledger';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';

const now = Date.parse('2036-11-20T12:00:00Z');
const tag = shardTags(1)[0] as string;

afterAll(closeTestRedis);

const slow: TransitionLimit = { type: 'sliding', name: 'slow', max: 3, windowMs: 60_000, per: 'member' };
const few: TransitionLimit = { type: 'daily', name: 'few', max: 9, of: 'grants' };

const grant = (member: string, field: string, more: Partial<Transition> = {}): Transition => ({
  kind: 'grant',
  member,
  field,
  points: 5,
  occurredAtMs: now - 10,
  ...more,
});
const revoke = (member: string, field: string, more: Partial<Transition> = {}): Transition =>
  grant(member, field, { kind: 'revoke', occurredAtMs: now, ...more });

async function differences(redis: Redis, ledger: Ledger): Promise<number> {
  return (await differencesOf(redis, ledger)).length;
}

/** Redis' boards and ledgers. */
async function contents(redis: Redis, prefix: string): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const key of await redis.keys(`{${prefix}:*}:*`)) {
    const name = key.slice(key.indexOf('}'));
    if (/:board:/.test(name)) found[name] = await redis.zrange(key, '0', '-1', 'WITHSCORES');
    if (/:(ledger|revokes):/.test(name)) found[name] = await redis.hgetall(key);
  }
  return found;
}

describe('a call that meets what it cannot read', () => {
  const ledgerOf = (member: string) => (prefix: string) => keys.ledger(prefix, tag, '20361120', member);
  const damages = {
    'a field of garbage': {
      key: ledgerOf('cid'),
      damage: (redis: Redis, key: string) => redis.hset(key, 'p:9', 'garbage'),
      repair: (redis: Redis, key: string) => redis.hdel(key, 'p:9'),
    },
    'a field with a moment of garbage': {
      key: ledgerOf('cid'),
      damage: (redis: Redis, key: string) => redis.hset(key, 'p:9', '0;x'),
      repair: (redis: Redis, key: string) => redis.hdel(key, 'p:9'),
    },
    'a ledger that is none': {
      key: ledgerOf('cid'),
      damage: (redis: Redis, key: string) => redis.set(key, 'garbage'),
      repair: (redis: Redis, key: string) => redis.del(key),
    },
    'a room that is cut off': {
      key: (prefix: string) => keys.room(prefix, tag, 'cid'),
      damage: (redis: Redis, key: string) => redis.set(key, 'garbage'),
      repair: (redis: Redis, key: string) => redis.del(key),
    },
    'what has no day is no hash': {
      key: (prefix: string) => keys.always(prefix, tag, 'cid'),
      damage: (redis: Redis, key: string) => redis.set(key, 'garbage'),
      repair: (redis: Redis, key: string) => redis.del(key),
    },
  };
  const shapes: Record<string, Partial<Transition>> = {
    'without limits': {},
    'with a sliding limit': { limits: [slow] },
    'with both kinds of limits': { limits: [few, slow] },
  };
  const cases = Object.entries(damages).flatMap(([damage, how]) =>
    Object.entries(shapes).map(([shape, more]) => ({ damage, shape, how, more })),
  );

  it.each(cases)(
    '$damage, $shape: boards have what ledgers have, and a repeat does the rest',
    async ({ how, more }) => {
      const redis = testRedis();
      const [prefix, cleanPrefix] = [freshPrefix(), freshPrefix()];
      const make = (own: string) =>
        keptLedger(redis, { prefix: own, boards: [keptBoard('day'), keptBoard('month')], clock: new ManualClock(now) });
      const [ledger, clean] = [make(prefix), make(cleanPrefix)];
      const batch = [
        grant('bob', 'p:1', more),
        grant('bob', 'p:2', more),
        grant('dan', 'p:1', more),
        grant('cid', 'p:8', more),
        grant('cid', 'p:9', more),
        revoke('cid', 'p:8'),
        grant('eve', 'p:1', more),
      ];
      for (const one of [ledger, clean]) {
        await one.prepare();
        await one.apply([grant('bob', 'p:1', { ...more, occurredAtMs: now - 20 }), grant('eve', 'p:0', more)]);
      }
      const key = how.key(prefix);
      await how.damage(redis, key);
      await ledger.apply(batch).catch(() => undefined);
      await how.repair(redis, key);
      if (!key.includes(':ledger:')) expect(await differences(redis, ledger)).toBe(0);
      await ledger.apply(batch);
      await clean.apply(batch);
      expect(await differences(redis, ledger)).toBe(0);
      expect(await contents(redis, prefix)).toEqual(await contents(redis, cleanPrefix));
    },
  );
});

describe('a late grant whose revokes cannot be read', () => {
  it.each([1, 3])('writes nothing where it counts once in %d days', async (onceInDays) => {
    const redis = testRedis();
    const prefix = freshPrefix();
    const ledger = keptLedger(redis, { prefix, boards: [keptBoard('day')], clock: new ManualClock(now) });
    const late = (daysAgo: number) => grant('ann', 'p:1', { occurredAtMs: now - daysAgo * 86_400_000, onceInDays });
    await ledger.apply([late(3)]);
    const revokes = keys.revokes(prefix, tag, 'ann');
    await redis.hset(revokes, 'p:1', 'garbage');
    const before = await contents(redis, prefix);
    await expect(ledger.apply([late(2)])).rejects.toThrow('The revokes of "p:1" cannot be read.');
    expect(await contents(redis, prefix)).toEqual(before);
    await redis.hdel(revokes, 'p:1');
    const [again] = await ledger.apply([late(2)]);
    expect(again).toMatchObject({ outcome: onceInDays === 1 ? 'granted' : 'duplicate' });
    expect(await differences(redis, ledger)).toBe(0);
  });
});
