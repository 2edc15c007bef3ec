import type { Transition } from '@laurel/leaderboard';
import type { Redis } from 'ioredis';
import { keys } from '../../support/keys';
import { ManualClock } from '../../support/clock';
import { keptBoard, keptLedger } from '../../support/ledger';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';

const noon = Date.parse('2037-01-20T12:00:00Z');
const day = 86_400_000;

describe('what counts once for good', () => {
  let redis: Redis;
  beforeAll(() => {
    redis = testRedis();
  });
  afterAll(closeTestRedis);

  const start = () => {
    const clock = new ManualClock(noon);
    const prefix = freshPrefix();
    const boards = [keptBoard('day', 3_600_000), keptBoard('month', 3_600_000), keptBoard('all')];
    const ledger = keptLedger(redis, { prefix, boards, clock, ledgerRetentionMs: 31 * day });
    const send = async (kind: 'grant' | 'revoke', daysLater: number, more: Partial<Transition> = {}) => {
      const occurredAtMs = noon + daysLater * day;
      clock.set(Math.max(clock.now(), occurredAtMs));
      const full = { kind, member: 'ann', field: 'publish:1', points: 10, occurredAtMs, onceInDays: Infinity, ...more };
      const [result] = await ledger.apply([full]);
      return `${result?.outcome} ${result?.points}`;
    };
    const remembered = () =>
      redis.hgetall(keys.remembered(prefix, ledger.settings.tags[0] as string, 'ann')).then((all) => ({ ...all }));
    const total = async () => (await ledger.board('all', ledger.periods.of('all')).entry('ann'))?.score ?? 0;
    return { ledger, clock, send, remembered, total };
  };

  it('earns nothing again, tomorrow or when no ledger knows it any more', async () => {
    const { send, total } = start();
    expect(await send('grant', 0)).toBe('granted 10');
    expect(await send('grant', 0)).toBe('duplicate 0');
    expect(await send('grant', 1)).toBe('duplicate 0');
    expect(await send('grant', 40)).toBe('duplicate 0');
    expect(await send('grant', 900)).toBe('duplicate 0');
    expect(await total()).toBe(10);
  });

  it('is taken back as it was given, and may then be earned again', async () => {
    const { send, total, remembered } = start();
    await send('grant', 0);
    expect(await send('revoke', 3)).toBe('revoked -10');
    expect(await remembered()).toEqual({});
    expect(await send('grant', 5)).toBe('granted 10');
    expect(await send('grant', 36)).toBe('duplicate 0');
    expect(await total()).toBe(10);
  });

  it('is judged in the order of a call that did not know its days', async () => {
    const { ledger, clock, send } = start();
    await send('grant', 0);
    await send('grant', 2);
    clock.set(noon + 2 * day);
    const revoke = (grantedAtMs?: number): Transition => ({
      ...{ kind: 'revoke', member: 'ann', field: 'publish:1', points: 10, onceInDays: Infinity },
      occurredAtMs: noon + (grantedAtMs ? 2 : 0) * day,
      ...(grantedAtMs && { grantedAtMs }),
    });
    const results = await ledger.apply([revoke(noon + 2 * day), revoke()]);
    expect(results.map(({ outcome, points }) => `${outcome} ${points}`)).toEqual(['notGranted 0', 'revoked -10']);
  });

  it('stays where nothing can be taken back any more', async () => {
    const { send, total } = start();
    await send('grant', 0);
    expect(await send('revoke', 50)).toBe('notGranted 0');
    expect(await send('grant', 51)).toBe('duplicate 0');
    expect(await total()).toBe(10);
  });

  it('moves to the earlier day where that is heard of later, and to the later one where the earlier ends', async () => {
    const { ledger, send, total } = start();
    await send('grant', 3);
    const early = (daysLater: number) => ledger.history.days('ann', ...daysOf(ledger, daysLater));
    expect(await send('grant', 1)).toBe('granted 0');
    expect((await early(1))[0]?.fields).toMatchObject([{ points: 10 }]);
    expect((await early(3))[0]?.fields).toMatchObject([{ points: 0 }]);
    expect(await send('revoke', 4, { grantedAtMs: noon + day })).toBe('revoked 0');
    expect((await early(3))[0]?.fields).toMatchObject([{ points: 10 }]);
    expect(await total()).toBe(10);
  });

  it('waits for no other field, member or rule, and a rule of days leaves no memory', async () => {
    const { send, remembered } = start();
    await send('grant', 0);
    expect(await send('grant', 1, { field: 'publish:2' })).toBe('granted 10');
    expect(await send('grant', 1, { member: 'bob' })).toBe('granted 10');
    expect(await send('grant', 1, { field: 'view:1', onceInDays: 3 })).toBe('granted 10');
    expect(await send('grant', 1, { field: 'praise:1', onceInDays: 1 })).toBe('granted 10');
    expect(Object.keys(await remembered()).sort()).toEqual(['publish:1', 'publish:2']);
  });

  it('judges many days of one field in one call', async () => {
    const { ledger, clock, total } = start();
    clock.set(noon + 30 * day);
    const common = { kind: 'grant', member: 'ann', field: 'publish:1', points: 10, onceInDays: Infinity } as const;
    const grants = Array.from({ length: 30 }, (_, i) => ({ ...common, occurredAtMs: noon + (30 - i) * day }));
    const results = await ledger.apply(grants);
    expect(results.map(({ outcome }) => outcome)).toEqual(grants.map(() => 'granted'));
    expect(await total()).toBe(10);
    const again = await ledger.apply(grants);
    expect(again.map(({ outcome }) => outcome)).toEqual(grants.map(() => 'duplicate'));
  });

  it('is erased with its member', async () => {
    const { ledger, send, remembered } = start();
    await send('grant', 0);
    await ledger.erasure.erase('ann');
    expect(await remembered()).toEqual({});
  });
});

function daysOf(ledger: ReturnType<typeof keptLedger>, daysLater: number) {
  const period = ledger.periods.of('day', noon + daysLater * day);
  return [period, period] as const;
}
