import fc from 'fast-check';
import type { Redis } from 'ioredis';
import type { Transition } from '@laurel/leaderboard';
import { guarded, scripts } from '../support/scripts';
import { ManualClock } from '../support/clock';
import { keysLike } from '../support/keys-like';
import { keptBoard, keptLedger } from '../support/ledger';
import { sampled } from '../support/sampled';
import { seed } from '../support/seed';
import { dayMs, redisOfProperty } from './histories';

const now = Date.parse('2036-11-04T12:00:00Z');

const transition: fc.Arbitrary<Transition> = fc
  .record({
    member: fc.constantFrom('ann', 'bob', 'cid', '{x}:b o b\n🙂'),
    field: fc.constantFrom('praise:1', 'praise:2', 'view:/', 'view:/a'),
    sort: fc.constantFrom('grant', 'grant', 'grant', 'grant', 'grant', 'late', 'revoke', 'dayRevoke', 'limited'),
    offset: fc.constantFrom(0, 0, 1, 3_600_000),
    sequence: fc.constantFrom(0, 0, 0, 1),
    points: fc.constantFrom(1, 3, 0, 900_000),
    version: fc.constantFrom(undefined, undefined, 2),
  })
  .map(({ member, field, sort, offset, sequence, points, version }) => ({
    kind: sort.toLowerCase().includes('revoke') ? 'revoke' : 'grant',
    member,
    field,
    points,
    sequence,
    occurredAtMs: now - offset - (sort === 'late' ? dayMs : 0),
    ...(version && { version }),
    ...(sort === 'dayRevoke' && { grantedAtMs: now - offset }),
    ...(sort === 'limited' && {
      limits: [{ type: 'sliding', name: 'slow', max: 2, windowMs: 7_200_000, per: 'member' } as const],
    }),
  }));

/** Everything under a prefix but who is excluded, by what follows the prefix. */
async function contents(redis: Redis, prefix: string): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const key of (await keysLike(redis, `{${prefix}*`)).sort()) {
    if (key.includes(':excluded')) continue;
    const name = key.slice(key.indexOf(':') + 1);
    const type = await redis.type(key);
    if (type === 'zset') found[name] = await redis.zrange(key, '0', '-1', 'WITHSCORES');
    else if (type === 'hash') found[name] = await redis.hgetall(key);
    else found[name] = await redis.get(key);
  }
  return found;
}

describe('record-grants.lua', () => {
  const own = redisOfProperty();
  let runs = 0;

  it('answers and stores what judge-transitions.lua does, which judges all where somebody is excluded', async () => {
    const evalsha = jest.spyOn(own.client, 'evalsha');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(transition, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 5 }),
        async (batches) => {
          const run = ++runs;
          const made = ['plain', 'judged'].map((name) => {
            const prefix = `two${run}${name}`;
            const boards = [keptBoard('day'), keptBoard('month')];
            return {
              prefix,
              ledger: keptLedger(own.client, { prefix, boards, clock: new ManualClock(now), clockSkewMs: 0 }),
            };
          });
          const [plain, judged] = made as [(typeof made)[0], (typeof made)[0]];
          for (const { ledger } of made) await ledger.prepare();
          await judged.ledger.excluded.move('somebody else', 'aside');
          for (const batch of batches) {
            expect(await plain.ledger.apply(batch)).toEqual(await judged.ledger.apply(batch));
          }
          expect(await contents(own.client, plain.prefix)).toEqual(await contents(own.client, judged.prefix));
          for (const { ledger } of made) ledger.close();
        },
      ),
      { numRuns: sampled({ sample: 20, deep: 200, full: 2_000 }), seed },
    );
    const called = new Set(evalsha.mock.calls.map(([sha1]) => sha1));
    expect(called).toContain(guarded(scripts.recordGrants).sha1);
    expect(called).toContain(guarded(scripts.judgeTransitions).sha1);
  });
});
