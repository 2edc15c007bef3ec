import { type LedgerOptions, Period, Resharding, type Transition } from '@laurel/leaderboard';
import { adjustmentField } from '@laurel/leaderboard/internals';
import { Readable } from 'node:stream';
import { withBetween } from '../../support/between-trips';
import { dayMs } from '../../support/clock';
import { auditOf } from '../../support/differences';
import { keys } from '../../support/keys';
import { grantsAt, keptBoard, keptLedger } from '../../support/ledger';
import { freshPrefix, testRedis } from '../../support/redis';

const noon = Date.parse('2036-11-20T12:00:00Z');
const month = Period.of('month', new Date(noon), 'UTC');
const day = Period.of('day', new Date(noon), 'UTC');
const grant = grantsAt(noon);
const revoke = (member: string, field: string) => grant(member, field, { kind: 'revoke', occurredAtMs: noon + 1 });
const own = (options: Partial<LedgerOptions> = {}) => {
  const redis = testRedis();
  return { redis, ledger: keptLedger(redis, { clock: noon + 2, shards: 2, ...options }) };
};

describe('boards move by the difference', () => {
  it('of both days where there are thousands of partitions', async () => {
    const boards = [keptBoard('day'), keptBoard('month')].map((board) => ({ ...board, partition: 'team' }));
    const { ledger } = own({ boards });
    const before = (member: string, team: string) =>
      grant(member, 'f', { occurredAtMs: noon - dayMs, partitions: { team } });
    await ledger.apply([before('ann', 'red'), ...Array.from({ length: 3_000 }, (_, i) => before(`m${i}`, `t${i}`))]);
    await ledger.apply([grant('ann', 'f', { partitions: { team: 'red' } })]);
    expect(await ledger.board('month', month, 'red').entry('ann')).toMatchObject({ score: 2 });
    await ledger.apply([revoke('ann', 'f')]);
    expect(await ledger.board('month', month, 'red').entry('ann')).toBeNull();
  });

  it('where an adjustment names a board that is no more', async () => {
    const prefix = freshPrefix();
    const former = own({ prefix, boards: [keptBoard('day'), { ...keptBoard('month'), name: 'spring' }] });
    await former.ledger.prepare();
    const adjust = { kind: 'adjust', points: 5, note: 'spring', board: 'spring' } as const;
    await former.ledger.apply([grant('ann', 'f'), grant('ann', 'g'), grant('ann', adjustmentField('x'), adjust)]);
    const { redis, ledger } = own({ prefix });
    await ledger.prepare();
    expect(await ledger.apply([revoke('ann', 'f')])).toMatchObject([{ outcome: 'revoked' }]);
    expect(await auditOf(redis, ledger)).toMatchObject({ differences: [] });
    expect(await ledger.merging.merge('ann', 'bob')).toMatchObject({ facts: 3 });
    expect(await ledger.board('day', day).entry('bob')).toMatchObject({ score: 1 });
  });

  it('of nobody whose owner was erased, when facts ask for other points', async () => {
    const { ledger } = own();
    await ledger.apply([grant('bob', 'f', { gift: { member: 'eve', points: 1 } })]);
    await ledger.erasure.erase('eve');
    const worth: Transition['worth'] = () => ({ points: 3, gift: 2 });
    const revalue = grant('bob', 'revalue', { kind: 'revalue', points: 0, worth });
    expect(await ledger.apply([revalue])).toMatchObject([{ outcome: 'granted', points: 2 }]);
    expect(await ledger.apply([revalue])).toMatchObject([{ outcome: 'duplicate' }]);
    expect(await ledger.board('day', day).top(9)).toMatchObject([{ member: 'bob', score: 3 }]);
  });
});

describe('a merge', () => {
  it('takes over nothing that a giver took back while it was interrupted', async () => {
    const { redis, ledger } = own();
    const given = ['f', 'g'].map((field) => grant('gus', field, { gift: { member: 'ann', points: 1 } }));
    await ledger.apply([...given, grant('ann', 'h')]);
    const interrupted = { trip: 8, work: () => Promise.reject(new Error('interrupted')) };
    await expect(withBetween(redis, interrupted, () => ledger.merging.merge('ann', 'bob'))).rejects.toThrow();
    await ledger.apply([revoke('gus', 'f')]);
    await ledger.merging.merge('ann', 'bob');
    expect(await ledger.board('day', day).entry('bob')).toMatchObject({ score: 2 });
    expect(await auditOf(redis, ledger)).toMatchObject({ differences: [] });
  });

  it.each([5, 10, 15, 20, 25])('ends, or is refused, where members move before its trip %d', async (trip) => {
    const { redis, ledger } = own();
    await ledger.prepare();
    await ledger.apply(Array.from({ length: 130 }, (_, i) => grant('ann', `f${i}`)));
    const { prefix } = ledger.settings;
    const work = () => new Resharding(testRedis(), { prefix, shards: 5, graceMs: 0 }).run();
    const merge = () => ledger.merging.merge('ann', 'bob');
    await withBetween(redis, { trip, work }, merge).catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'unavailable' });
    });
    await ledger.syncShards();
    await merge();
    expect(await ledger.board('day', day).top(9)).toMatchObject([{ member: 'bob', score: 130 }]);
  });
});

it('members with ledgers are not listed as all where they move to other shards meanwhile', async () => {
  const { ledger } = own();
  await ledger.prepare();
  await ledger.apply([grant('ann', 'f')]);
  const listed = ledger.history.members(day, day);
  await listed.next();
  await new Resharding(testRedis(), { prefix: ledger.settings.prefix, shards: 5, graceMs: 0 }).run();
  await expect(Readable.from(listed).toArray()).rejects.toMatchObject({ code: 'unavailable' });
});

it('who owes nothing any more is forgotten, however many they are', async () => {
  const { redis, ledger } = own({ shards: 1 });
  const owing = keys.owing(ledger.settings.prefix, ledger.settings.tags[0] ?? '');
  for (let i = 0; i < 100; i += 1) await redis.zadd(owing, 1, `m${i}`);
  await ledger.payOwed(noon);
  expect(await redis.zcard(owing)).toBe(0);
});
