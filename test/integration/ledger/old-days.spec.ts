import { Period, type Ledger, type TransitionLimit } from '@laurel/leaderboard';
import { auditOf } from '../../support/differences';
import { keys } from '../../support/keys';
import type { LawfulTransition } from '../../support/lawful-ledger';
import { grantsAt, keptBoard, keptLedger } from '../../support/ledger';
import { dayMs, freshPrefix, ManualClock, testRedis } from '../../support';

const noon = Date.parse('2036-11-20T12:00:00Z');
const noonsDay = Period.of('day', new Date(noon), 'UTC');
const sound = { differences: [], gaps: [] };

const grant = grantsAt(noon);

describe('old days', () => {
  const redis = testRedis();

  const start = (ledgerRetentionMs: number | null = null) => {
    const clock = new ManualClock(noon);
    const prefix = freshPrefix();
    const boards = [keptBoard('day'), keptBoard('month'), keptBoard('all')];
    const ledger = keptLedger(redis, { prefix, clock, boards, ledgerRetentionMs, shards: 1 });
    const [tag = ''] = ledger.settings.tags;
    const inMemory = (member: string, ms = noon) =>
      redis.hlen(keys.ledger(prefix, tag, new Date(ms).toISOString().slice(0, 10).replaceAll('-', ''), member));
    const packed = (member: string) => redis.hkeys(keys.old(prefix, tag, member));
    return { clock, prefix, tag, ledger, inMemory, packed };
  };

  const scoreOf = (ledger: Ledger, member: string) => ledger.board('day', noonsDay).score(member);

  it('are packed 31 days later, once, and say what they said, whatever their member is called', async () => {
    const { clock, ledger, inMemory, packed } = start();
    const ann = 'ann}:old:ann';
    await ledger.apply([
      grant(ann, 'a\\0\\1\\2: 名'),
      grant(ann, 'b'),
      grant(ann, 'b', { kind: 'revoke', occurredAtMs: noon + 1 }),
    ]);
    clock.advance(43_200_000);
    await ledger.apply([grant(ann, 'c', { occurredAtMs: clock.now() })]);
    const lines = () => ledger.history.lines(ann, noonsDay);
    const before = await lines();
    clock.advance(31 * dayMs - dayMs - 1);
    expect(await ledger.pack()).toBe(0);
    clock.advance(1);
    expect(await ledger.pack()).toBe(1);
    expect([await inMemory(ann), await inMemory(ann, noon + dayMs)]).toEqual([0, 1]);
    expect(await packed(ann)).toEqual([String(noon / dayMs - 0.5)]);
    expect(await lines()).toEqual(before);
    expect(await ledger.pack()).toBe(0);
    expect(await auditOf(redis, ledger)).toEqual(sound);
  });

  it('take what comes late, of crowded days too', async () => {
    const { clock, ledger, inMemory } = start();
    const givers = Array.from({ length: 160 }, (_, i) => `g${i}`);
    const gift = { member: 'hub', points: 2 };
    await ledger.apply(givers.map((giver) => grant(giver, 'hail', { gift })));
    clock.advance(40 * dayMs);
    expect(await ledger.pack()).toBe(161);
    expect(await scoreOf(ledger, 'hub')).toBe(320);
    const [late, again] = [{ occurredAtMs: clock.now() }, { occurredAtMs: noon + 2 }];
    const results = await ledger.apply([
      ...givers.map((giver) => grant(giver, 'hail', { kind: 'revoke', ...late, grantedAtMs: noon })),
      ...givers.slice(0, 9).map((giver) => grant(giver, 'hail again', { gift, ...again })),
      grant('hub', 'own', again),
    ]);
    const outcomes = new Set(results.map(({ outcome }) => outcome));
    expect(outcomes).toEqual(new Set(['revoked', 'granted']));
    expect([await scoreOf(ledger, 'hub'), await scoreOf(ledger, 'g0'), await scoreOf(ledger, 'g9')]).toEqual([
      19,
      1,
      null,
    ]);
    expect([await inMemory('hub'), await ledger.pack()]).toEqual([0, 0]);
    expect(await auditOf(redis, ledger)).toEqual(sound);
  });

  it.each<TransitionLimit>([
    { type: 'daily', name: 'month', of: 'grants', max: 2, period: 'month' },
    { type: 'sliding', name: 'window', max: 2, windowMs: 10 * dayMs, per: 'member' },
  ])('are counted by a limit that looks at several days: $name', async (limit) => {
    const { clock, ledger } = start();
    const on = (days: number): LawfulTransition => ({
      ...grant('ann', `f${days}`, { occurredAtMs: noon - days * dayMs }),
      limits: [limit],
    });
    await ledger.apply([on(13), on(12)]);
    clock.advance(100 * dayMs);
    expect(await ledger.pack()).toBe(2);
    expect(await ledger.apply([on(11), on(14)])).toMatchObject([{ outcome: 'limited' }, { outcome: 'granted' }]);
    expect(await ledger.board('all', Period.of('all', new Date(noon), 'UTC')).score('ann')).toBe(2);
    expect(await auditOf(redis, ledger)).toEqual(sound);
  });

  it('go when their retention is over, and the rest stays', async () => {
    const { clock, prefix, tag, ledger, packed } = start(100 * dayMs);
    await ledger.apply([grant('ann', 'a'), grant('ann', 'b', { occurredAtMs: noon - 20 * dayMs })]);
    clock.advance(40 * dayMs);
    expect(await ledger.pack()).toBe(2);
    const day = (ms: number) => String(Math.floor(ms / dayMs));
    clock.advance(50 * dayMs);
    await ledger.pack();
    expect(await packed('ann')).toEqual([day(noon)]);
    const expireAtMs = Date.parse('2036-11-21T00:00:00Z') + 100 * dayMs;
    expect(await redis.pexpiretime(keys.old(prefix, tag, 'ann'))).toBeGreaterThanOrEqual(expireAtMs);
    clock.advance(20 * dayMs);
    await ledger.pack();
    expect(await packed('ann')).toEqual([]);
  });

  it('of more than 500 fields stay as they are, and are found however old they are', async () => {
    const { clock, ledger, inMemory } = start();
    const many = Array.from({ length: 501 }, (_, i) => grant('ann', `f${i}`));
    await ledger.apply(many);
    clock.advance(40 * dayMs);
    expect([await ledger.pack(), await inMemory('ann')]).toEqual([0, 501]);
    clock.advance(400 * dayMs);
    const revoke = grant('ann', 'f0', { kind: 'revoke', occurredAtMs: clock.now() });
    expect((await ledger.apply([revoke]))[0]).toMatchObject({ outcome: 'revoked', points: -1 });
    expect(await scoreOf(ledger, 'ann')).toBe(500);
    expect(await auditOf(redis, ledger)).toEqual(sound);
  });

  it('stay where the packing is told to end, and are packed by the next', async () => {
    const { clock, ledger } = start();
    await ledger.apply(Array.from({ length: 100 }, (_, i) => grant(`m${i}`, 'f')));
    clock.advance(40 * dayMs);
    const told = new AbortController();
    const calls = jest
      .spyOn(told.signal, 'throwIfAborted')
      .mockImplementationOnce(() => told.abort(new Error('Enough.')));
    await expect(ledger.pack({ signal: told.signal })).rejects.toThrow('Enough.');
    expect(calls).toHaveBeenCalledTimes(2);
    const left = await ledger.pack();
    expect(left).toBeGreaterThan(40);
    expect(left).toBeLessThan(100);
    expect(await auditOf(redis, ledger)).toEqual(sound);
  });
});
