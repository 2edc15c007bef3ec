import fc from 'fast-check';
import { LedgerAudit, type Transition } from '@laurel/leaderboard';
import type { Redis } from 'ioredis';
import { keys } from '../../support/keys';
import { ManualClock } from '../../support/clock';
import { keptBoard, keptLedger } from '../../support/ledger';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';
import { sampled } from '../../support/sampled';
import { announceSeed, seed } from '../../support/seed';

const noon = Date.parse('2037-01-20T12:00:00Z');
const day = 86_400_000;

describe('transitions with ids', () => {
  let redis: Redis;
  beforeAll(() => {
    announceSeed();
    redis = testRedis();
  });
  afterAll(closeTestRedis);

  const start = (boards = [keptBoard('day', 3_600_000), keptBoard('all')]) => {
    const clock = new ManualClock(noon);
    const prefix = freshPrefix();
    const ledger = keptLedger(redis, { prefix, boards, clock, ledgerRetentionMs: 31 * day });
    const send = async (kind: 'grant' | 'revoke', id: string, daysLater: number, more: Partial<Transition> = {}) => {
      const occurredAtMs = noon + daysLater * day;
      clock.set(Math.max(clock.now(), occurredAtMs));
      const [result] = await ledger.apply([
        { kind, id, member: 'ann', field: 'p:1', points: 2, occurredAtMs, ...more },
      ]);
      return `${result?.outcome} ${result?.points}`;
    };
    const key = keys.ids(prefix, ledger.settings.tags[0] as string, 'ann');
    const total = async () => (await ledger.board('all', ledger.periods.of('all')).entry('ann'))?.score ?? 0;
    return { ledger, clock, send, total, key };
  };

  it('count once whatever their date, as long as their longest board lasts', async () => {
    const { send, total, key } = start();
    expect(await send('grant', 'a', 0)).toBe('granted 2');
    expect(await send('grant', 'a', 0)).toBe('duplicate 0');
    expect(await send('grant', 'a', 1)).toBe('duplicate 0');
    expect(await send('grant', 'b', 1)).toBe('granted 2');
    expect(await send('grant', 'a', 900)).toBe('duplicate 0');
    expect(await total()).toBe(4);
    expect(await redis.pttl(key)).toBe(-1);
  });

  it('are forgotten with the last board and ledger of their day', async () => {
    const { send, key } = start([{ name: 'day', period: 'day', retentionMs: 40 * day, latenessMs: day }]);
    await send('grant', 'a', 0);
    await send('grant', 'b', 30);
    expect(await redis.zcard(key)).toBe(2);
    expect(Math.ceil((await redis.pexpiretime(key)) / day)).toBe(Math.ceil((noon + 70.5 * day) / day));
    await send('grant', 'c', 50);
    expect(await redis.zrange(key, '0', '-1')).toEqual(['b', 'c']);
  });

  it('are taken back by a revoke of the same id, on the day on which they were granted alone', async () => {
    const { send, total, ledger, clock } = start([keptBoard('day'), keptBoard('all')]);
    await send('grant', 'a', 0);
    await send('grant', 'b', 1);
    clock.set(noon + 2 * day);
    const revoke = {
      member: 'ann',
      field: 'p:1',
      points: 2,
      occurredAtMs: clock.now(),
      kind: 'revoke',
      id: 'b',
    } as const;
    const [result] = await ledger.apply([revoke]);
    expect(result).toMatchObject({ outcome: 'revoked', points: -2, boards: { day: 'counted', all: 'counted' } });
    expect(await total()).toBe(2);
    expect(await send('revoke', 'b', 3)).toBe('duplicate 0');
    expect(await send('grant', 'b', 4)).toBe('duplicate 0');
    expect(await send('revoke', 'a', 4)).toBe('revoked -2');
    expect(await total()).toBe(0);
  });

  it('that were revoked before they are heard of give nothing', async () => {
    const { send, total } = start();
    expect(await send('revoke', 'a', 1)).toBe('notGranted 0');
    expect(await send('grant', 'a', 2)).toBe('notGranted 0');
    expect(await send('grant', 'a', 3)).toBe('duplicate 0');
    expect(await send('grant', 'b', 2)).toBe('granted 2');
    expect(await send('revoke', 'b', 1)).toBe('revoked -2');
    expect(await total()).toBe(0);
  });

  it('that a limit refused may be tried again', async () => {
    const { send } = start();
    const limits = [{ type: 'sliding', name: 'slow', max: 1, windowMs: 1_000, per: 'member' }] as const;
    expect(await send('grant', 'a', 0, { limits })).toBe('granted 2');
    expect(await send('grant', 'b', 0, { limits, field: 'p:2' })).toBe('limited 0');
    expect(await send('grant', 'b', 1, { limits, field: 'p:2' })).toBe('granted 2');
    expect(await send('grant', 'b', 1, { limits, field: 'p:2' })).toBe('duplicate 0');
  });

  it('are erased with their member', async () => {
    const { ledger, send, key } = start();
    await send('grant', 'a', 0);
    await ledger.erasure.erase('ann');
    expect(await redis.exists(key)).toBe(0);
  });

  it('give the same points in whatever order, and however often and late, they are delivered', async () => {
    const delivery = fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      kind: fc.constantFrom('grant' as const, 'grant' as const, 'revoke' as const),
      daysLater: fc.integer({ min: 0, max: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(delivery, { minLength: 1, maxLength: 20 }),
        fc.constantFrom(1, 7, Infinity),
        fc.constantFrom(1, 5, 20),
        async (deliveries, onceInDays, batch) => {
          const { ledger, clock, total } = start([keptBoard('day'), keptBoard('all')]);
          clock.set(noon + 10 * day);
          const transitions = deliveries.map(({ id, kind, daysLater }): Transition => {
            const occurredAtMs = noon + daysLater * day;
            return { kind, id, member: 'ann', field: `p:${id}`, points: 2, occurredAtMs, onceInDays };
          });
          for (let i = 0; i < transitions.length; i += batch) await ledger.apply(transitions.slice(i, i + batch));
          const idsOf = (wanted: string) => deliveries.flatMap(({ id, kind }) => (kind === wanted ? [id] : []));
          const standing = new Set(idsOf('grant').filter((id) => !idsOf('revoke').includes(id)));
          expect(await total()).toBe(2 * standing.size);
          const spread = onceInDays > 1 ? ['p:'] : [];
          const summary = await new LedgerAudit(redis, ledger, { countsOn: () => null, spread }).run();
          expect(summary).toMatchObject({ differences: 0 });
        },
      ),
      { numRuns: sampled({ sample: 60, full: 300 }), seed },
    );
  });
});
