import fc from 'fast-check';
import { startRedis, type RedisServer } from '@laurel/servers';
import { Redis } from 'ioredis';
import { Ledger, type Transition, type TransitionLimit } from '@laurel/leaderboard';
import { dayMs, ManualClock } from '../support/clock';
import { differencesOf } from '../support/differences';
import { keptBoard } from '../support/ledger';
import { seed } from '../support/seed';
import { sampled } from '../support/sampled';

/** The long run: `LAUREL_TEST_BATCHES=20000`. */
const batches = Number(process.env.LAUREL_TEST_BATCHES ?? sampled({ sample: 40, deep: 150, full: 3_000 }));

/** So many batches are under way at once, each in a database of its own: what one waits for, another computes. */
const lines = 4;

const firstMs = Date.parse('2036-10-29T00:00:00Z');
const now = firstMs + 6 * dayMs;

const members = ['ann', 'bob', 'cid', '{x}:b o b\n🙂'];
const fields = ['praise:1', 'praise:2', 'view:/', 'view:/a'];
const allBoards = [keptBoard('day'), keptBoard('week'), keptBoard('month')];

const allLimits: readonly TransitionLimit[] = [
  { type: 'sliding', name: 'slow', max: 2, windowMs: 7_200_000, per: 'member' },
  { type: 'sliding', name: 'rare', max: 1, windowMs: 3_600_000, per: 'field' },
  { type: 'daily', name: 'few', max: 2, of: 'grants' },
  { type: 'daily', name: 'little', max: 5, of: 'points' },
];

const moment = fc
  .tuple(fc.integer({ min: 0, max: 6 }), fc.constantFrom(0, 1, 3_600_000, 7_200_000, 80_000_000))
  .map(([day, offset]) => Math.min(firstMs + day * dayMs + offset, now));

const transition = fc
  .record({
    member: fc.constantFrom(...members),
    field: fc.constantFrom(...fields),
    sort: fc.constantFrom('grant', 'grant', 'grant', 'revoke', 'dayRevoke'),
    occurredAtMs: fc.oneof(fc.constant(now), moment),
    daysBack: fc.integer({ min: 0, max: 3 }),
  })
  .map(({ member, field, sort, occurredAtMs, daysBack }): Transition => ({
    kind: sort === 'grant' ? 'grant' : 'revoke',
    member,
    field,
    points: field.startsWith('view') ? 1 : 3,
    occurredAtMs,
    ...(sort === 'dayRevoke' && { grantedAtMs: Math.max(firstMs, occurredAtMs - daysBack * dayMs) }),
  }));

const garbage = fc.constantFrom('garbage', '5;x', '5;1;.x', '--1;2', '5v2', ';1', '\u0000\u0001', '1e3;5');

/** What is damaged before a batch, and mended after it. */
interface Damage {
  readonly what: 'field' | 'newField' | 'room' | 'revokes' | 'ledger' | 'always';
  readonly at: number;
  readonly garbage: string;
}

const damage: fc.Arbitrary<Damage> = fc.record({
  what: fc.constantFrom('field', 'newField', 'newField', 'room', 'revokes', 'ledger', 'always'),
  at: fc.nat(),
  garbage,
});

/** A batch, what came before it, and what goes wrong. */
interface Run {
  readonly limits: readonly TransitionLimit[];
  readonly once: number;
  readonly before: readonly Transition[];
  readonly batch: readonly Transition[];
  readonly damage: Damage | null;
  readonly shards: number;
  readonly ledgerRetentionMs: number | null;
}

/** Breaks something that is stored and that a batch may meet; what is given mends it. */
async function breakStored(
  redis: Redis,
  ledger: Ledger,
  batch: readonly Transition[],
  { what, at, garbage }: Damage,
): Promise<() => Promise<unknown>> {
  const { prefix, tags } = ledger.settings;
  const pick = <T>(list: readonly T[]): T | undefined => list[at % Math.max(1, list.length)];
  const { member, field: met, occurredAtMs, grantedAtMs = occurredAtMs } = pick(batch) as Transition;
  const tag = tags[ledger.shardOf(member)] as string;
  const named = async (part: string) => (await redis.keys(`{${prefix}:*}:${part}*`)).sort();
  const put = async (key: string, field: string, value: string) => {
    const before = await redis.hget(key, field);
    await redis.hset(key, field, value);
    return () => (before === null ? redis.hdel(key, field) : redis.hset(key, field, before));
  };
  switch (what) {
    case 'field': {
      const key = pick(await named('ledger:'));
      const field = key && pick(await redis.hkeys(key));
      return field === undefined ? () => Promise.resolve() : put(key as string, field, garbage);
    }
    case 'newField': {
      const day = new Date(grantedAtMs).toISOString().slice(0, 10).replaceAll('-', '');
      return put(`{${prefix}:${tag}}:ledger:${day}:${member}`, met, garbage);
    }
    case 'revokes':
      return put(`{${prefix}:${tag}}:revokes:${member}`, met, garbage);
    case 'room': {
      // What is kept for speed may go, and is made anew.
      const key = `{${prefix}:${tag}}:room:${member}`;
      await redis.set(key, garbage);
      return () => redis.del(key);
    }
    case 'ledger':
    case 'always': {
      const key = pick(await named(`${what}:`)) ?? `{${prefix}:${tag}}:always:${member}`;
      const aside = `${key}:aside`;
      const wasThere = await redis.exists(key);
      if (wasThere) await redis.rename(key, aside);
      await redis.set(key, garbage);
      return () => (wasThere ? redis.rename(aside, key) : redis.del(key));
    }
  }
}

/** Redis' boards and ledgers. */
async function contents(redis: Redis, { settings: { prefix } }: Ledger): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const key of await redis.keys(`{${prefix}:*}:[bl][oe][ad]*`)) {
    const isBoard = key.includes('}:board:');
    found[key.slice(prefix.length + 1)] = isBoard
      ? await redis.zrange(key, '0', '-1', 'WITHSCORES')
      : await redis.hgetall(key);
  }
  return found;
}

let server: RedisServer;
let clients: readonly Redis[];
beforeAll(async () => {
  // Its own: audits look at every key there is, so each batch leaves none.
  server = await startRedis();
  clients = Array.from({ length: lines }, (_, db) => new Redis(server.url, { db }));
});
afterAll(async () => {
  for (const client of clients) client.disconnect();
  await server.stop();
});

const runs: fc.Arbitrary<Run> = fc.record({
  limits: fc.oneof(fc.constant<TransitionLimit[]>([]), fc.subarray([...allLimits])),
  once: fc.constantFrom(1, 2, 3, Infinity),
  before: fc.array(transition, { maxLength: 12 }),
  batch: fc.array(transition, { minLength: 1, maxLength: 16 }),
  damage: fc.option(damage, { freq: 6 }),
  shards: fc.constantFrom(1, 1, 4),
  ledgerRetentionMs: fc.constantFrom(30 * dayMs, null),
});

it(
  'a ledger that meets garbage has boards that are the sum of its ledgers after every error, and a repeat ends where a clean run ends',
  async () => {
    let failed = 0;
    const property = (redis: Redis) =>
      fc.asyncProperty(runs, async ({ limits, once, before, batch, damage: broken, ...options }) => {
        await redis.flushdb();
        const make = (prefix: string) =>
          new Ledger(redis, {
            ...options,
            laws: { of: () => ({ once, limits, boards: undefined }) },
            prefix,
            boards: allBoards,
            clock: new ManualClock(now),
            keepsFirstDays: true,
          });
        const [ledger, clean] = [make('met'), make('clean')];
        for (const one of [ledger, clean]) {
          await one.prepare();
          await one.apply(before);
        }

        const mend = broken && (await breakStored(redis, ledger, batch, broken));
        const told = await ledger.apply(batch).catch((error: unknown) => error);
        if (told instanceof Error) failed += 1;
        await mend?.();
        expect(await differencesOf(redis, ledger)).toEqual([]);

        await ledger.apply(batch);
        await clean.apply(batch);
        expect(await contents(redis, ledger)).toEqual(await contents(redis, clean));
      });
    const numRuns = Math.ceil(batches / lines);
    await Promise.all(clients.map((redis, line) => fc.assert(property(redis), { seed: seed + line, numRuns })));
    // What is broken is met often enough.
    expect(failed).toBeGreaterThan(batches / 20);
  },
  1_800_000 + 500 * batches,
);
