import { Ledger, Period, type Transition } from '@laurel/leaderboard';
import clusterKeySlot from 'cluster-key-slot';
import type { Redis } from 'ioredis';
import { keysLike } from '../../support/keys-like';
import { ManualClock } from '../../support/clock';
import { rawBoard } from '../../support/ledger';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';

const day = 86_400_000;
const noon = Date.parse('2036-11-20T12:00:00Z');
const today = Period.of('day', new Date(noon), 'UTC');

const view = (member: string, field: string, occurredAtMs = noon): Transition => ({
  kind: 'grant',
  member,
  field,
  points: 1,
  occurredAtMs,
});

describe('the keys of a ledger', () => {
  let redis: Redis;
  beforeAll(() => {
    redis = testRedis();
  });
  afterAll(closeTestRedis);

  const newLedger = (
    retentionMs: { readonly day: number | null; readonly month: number | null; readonly ledger: number | null },
    shards = 1,
  ) =>
    new Ledger(redis, {
      prefix: freshPrefix(),
      shards,
      clock: new ManualClock(noon),
      boards: [
        { name: 'day', period: 'day', retentionMs: retentionMs.day, latenessMs: 0 },
        { name: 'month', period: 'month', retentionMs: retentionMs.month, latenessMs: 0 },
      ],
      ledgerRetentionMs: retentionMs.ledger,
    });

  async function expiries(ledger: Ledger): Promise<Record<string, number>> {
    const found = await keysLike(redis, `{${ledger.settings.prefix}:*`);
    const entries = await Promise.all(
      found.map(async (key) => [key.replace(/^.*?\}:/, ''), Number(await redis.call('PEXPIRETIME', key))] as const),
    );
    return Object.fromEntries(entries.sort());
  }

  it('expire at their period’s end plus retention, the same moment after the first write and the last', async () => {
    const ledger = newLedger({ day: 31 * day, month: 365 * day, ledger: 31 * day });
    await ledger.apply([view('ann', 'a')]);
    const first = await expiries(ledger);
    const endOfDay = Date.parse('2036-11-21T00:00:00Z');
    expect(first).toEqual({
      'board:day:2036-11-20': endOfDay + 31 * day,
      'board:month:2036-11': Date.parse('2036-12-01T00:00:00Z') + 365 * day,
      'ledger:20361120:ann': endOfDay + 31 * day,
    });
    await ledger.apply([
      view('ann', 'b', noon + 1),
      { ...view('ann', 'a', noon + 2), kind: 'revoke' },
      view('ann', 'a', noon + 3),
    ]);
    await ledger.apply([view('bob', 'a', noon - 1)]);
    const last = await expiries(ledger);
    expect(last).toMatchObject(first);
    expect(Object.values(last)).not.toContain(-1);
  });

  it('are kept for good where retention is none', async () => {
    const ledger = newLedger({ day: null, month: null, ledger: null });
    await ledger.apply([view('ann', 'a'), { ...view('ann', 'a', noon + 1), kind: 'revoke' }]);
    expect(new Set(Object.values(await expiries(ledger)))).toEqual(new Set([-1]));
  });

  it('all lie in their member’s one slot, whatever the member is called', async () => {
    const ledger = newLedger({ day: null, month: null, ledger: null }, 8);
    const members = ['{other}', '}{', '{}', 'a}:board:day:2036-11-20', '{lr:8-0}:board:day:2036-11-20'];
    await ledger.apply(members.map((member) => ({ ...view(member, 'a'), kind: 'revoke' as const })));
    for (const member of members) {
      const keys = await keysLike(redis, `*${ledger.settings.prefix}:*`);
      const mine = keys.filter((key) => key.endsWith(`:${member}`));
      expect(mine.length).toBeGreaterThan(1);
      const slots = mine.map((key) => clusterKeySlot(key));
      expect(new Set(slots).size).toBe(1);
    }
  });

  it('keep hostile members and fields apart', async () => {
    const ledger = newLedger({ day: null, month: null, ledger: null }, 4);
    const strings = [
      '{}',
      '{',
      '}',
      ':',
      '::',
      ' ',
      '\n',
      'a\nb',
      'a',
      'a:',
      ':a',
      'a:b',
      '🙂',
      'é',
      'e\u0301',
      '\u0000',
      '"',
      '\\',
      '*',
      '1',
      '01',
      '__proto__',
      'constructor',
    ];
    const members = [...strings, 'x'.repeat(128), '🙂'.repeat(32)];
    const transitions = members.flatMap((member) => strings.map((field) => view(member, field)));
    const results = await ledger.apply(transitions);
    expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['granted']));
    const board = await rawBoard(redis, ledger, 'day', today);
    expect(new Map(board.map(({ member, score }) => [member, score]))).toEqual(
      new Map(members.map((member) => [member, strings.length])),
    );
    for (const member of members) {
      const [ledgerDay] = await ledger.history.days(member, today, today);
      expect(ledgerDay?.fields.map(({ field }) => field).sort()).toEqual([...strings].sort());
    }
  });
});
