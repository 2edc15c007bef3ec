import { Ledger, LedgerAudit, type Transition } from '@laurel/leaderboard';
import { adjustmentField } from '@laurel/leaderboard/internals';
import type { Redis } from 'ioredis';
import { ManualClock } from '../../support/clock';
import { hotLedgers, keepCold } from '../../support/cold';
import { keptBoard, keptLedger } from '../../support/ledger';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';

const noon = Date.parse('2037-11-20T12:00:00Z');

describe('grants below zero', () => {
  let redis: Redis;
  beforeAll(() => {
    redis = testRedis();
  });
  afterAll(closeTestRedis);

  const start = () => {
    const boards = [{ ...keptBoard('day'), floor: null } as const, keptBoard('month')];
    const ledger = keptLedger(redis, { prefix: freshPrefix(), boards, clock: new ManualClock(noon + 3_600_000) });
    const send = async (...transitions: Partial<Transition>[]) => {
      const defaults = { kind: 'grant', member: 'ann', field: 'f', points: -1, occurredAtMs: noon } as const;
      return ledger.apply(transitions.map((one) => ({ ...defaults, ...one })));
    };
    const entry = async (board = 'day') => ledger.board(board, ledger.periods.of(board)).entry('ann');
    return { ledger, send, entry };
  };

  it('are exact to the millisecond as far below zero as above', async () => {
    const { send, entry } = start();
    const atMs = noon + 1_234_567;
    expect(await send({ field: 'a', points: -999_999 }, { field: 'b', occurredAtMs: atMs })).toMatchObject([
      { outcome: 'granted', points: -999_999, scores: { day: -999_999, month: 0 } },
      { outcome: 'granted', points: -1, scores: { day: -1_000_000, month: 0 } },
    ]);
    expect(await entry()).toMatchObject({ score: -1_000_000, reachedAt: new Date(atMs) });
    expect(await entry('month')).toBeNull();
    await send({ field: 'd', points: 1, occurredAtMs: atMs - 1 }, { field: 'e', points: 1, occurredAtMs: atMs + 1 });
    expect(await entry()).toMatchObject({ score: -999_998, reachedAt: new Date(atMs + 1) });
    await send({ kind: 'revoke', field: 'e', points: 1, occurredAtMs: atMs + 2 });
    expect(await entry()).toMatchObject({ score: -999_999, reachedAt: new Date(atMs) });
    await send(
      { kind: 'revoke', field: 'a', occurredAtMs: atMs + 2 },
      { kind: 'revoke', field: 'b', occurredAtMs: atMs + 2 },
    );
    expect(await entry('month')).toMatchObject({ score: 1, reachedAt: new Date(atMs - 1) });
  });

  it('leave adjustments nothing to take, and take none of what these took', async () => {
    const { ledger, send, entry } = start();
    const adjust = (id: string, points: number): Partial<Transition> => ({
      ...{ kind: 'adjust', field: adjustmentField(id), note: 'because', grantedAtMs: noon, points },
    });
    await send({ field: 'spam', points: -3 });
    expect(await send(adjust('1', -5), adjust('2', 5), adjust('3', -5))).toMatchObject([
      { outcome: 'notGranted', changes: { day: 0, month: 0 } },
      { outcome: 'granted', changes: { day: 5, month: 5 } },
      { outcome: 'revoked', changes: { day: -2, month: -2 } },
    ]);
    expect(await entry()).toMatchObject({ score: 0 });
    await send({ field: 'praise', points: 2 }, adjust('4', -2));
    // What the adjustment took is not taken again; what the spam took is.
    expect(await send({ kind: 'revoke', field: 'praise', occurredAtMs: noon + 1 })).toMatchObject([
      { outcome: 'revoked', points: -2, scores: { day: 0 } },
    ]);
    expect(await send({ kind: 'revoke', field: 'spam', occurredAtMs: noon + 1 })).toMatchObject([
      { outcome: 'revoked', points: 3, scores: { day: 3, month: 3 } },
    ]);
    const [today] = [ledger.periods.of('day')];
    expect((await ledger.history.days('ann', today, today))[0]?.fields).toContainEqual(
      expect.objectContaining({ field: 'praise', points: 0, version: null }),
    );
  });

  it('stand beside the boards of who is excluded, and come back', async () => {
    const { ledger, send, entry } = start();
    await send({ points: -7 });
    await ledger.excluded.move('ann', 'aside');
    expect(await send({ field: 'more' })).toMatchObject([{ excluded: true, scores: { day: -8 } }]);
    expect(await entry()).toBeNull();
    await ledger.excluded.move('ann', 'onBoards');
    expect(await entry()).toMatchObject({ score: -8 });
  });

  it('leave a frozen board as it is, and say nothing of it', async () => {
    const { ledger, send, entry } = start();
    await send({ points: -7, occurredAtMs: Date.parse('2037-11-20T00:00:00Z') });
    await ledger.periods.freeze('day', ledger.periods.of('day'));
    const [result] = await send({ field: 'more' });
    expect(result).toMatchObject({ outcome: 'granted', boards: { day: 'closed', month: 'counted' } });
    expect(result?.scores).toEqual({ month: 0 });
    expect(await entry()).toMatchObject({ score: -7 });
  });
});

describe('ledgers in a cold store', () => {
  let redis: Redis;
  beforeAll(() => {
    redis = testRedis();
  });
  afterAll(closeTestRedis);

  const start = async () => {
    const clock = new ManualClock(noon);
    const boards = [{ ...keptBoard('all'), floor: null } as const];
    const ledger = new Ledger(redis, { prefix: freshPrefix(), shards: 2, boards, clock });
    keepCold(redis, ledger, null);
    await ledger.prepare();
    const send = (one: Partial<Transition>) =>
      ledger.apply([{ kind: 'grant', member: 'ann', field: 'f', points: -1, occurredAtMs: clock.now(), ...one }]);
    const entry = async () => ledger.board('all', ledger.periods.of('all')).entry('ann');
    const differences = async () => {
      const found: unknown[] = [];
      await new LedgerAudit(redis, ledger, { countsOn: () => null, onDifference: (one) => found.push(one) }).run();
      return found;
    };
    const freezeAfter = async (days: number) => {
      clock.advance(days * 86_400_000);
      await ledger.freeze();
      expect(await hotLedgers(redis, ledger)).toEqual([]);
    };
    return { send, entry, differences, freezeAfter };
  };

  it('tell what was taken below zero, prove it, and give it back years later', async () => {
    const { send, entry, differences, freezeAfter } = await start();
    await send({ field: 'praise', points: 2 });
    await send({ field: 'spam', points: -3, occurredAtMs: noon + 5_000 });
    const reachedAt = (await entry())?.reachedAt;
    await freezeAfter(400);
    expect(await entry()).toMatchObject({ score: -1, reachedAt });
    expect(await differences()).toEqual([]);
    expect(await send({ kind: 'revoke', field: 'praise', points: 2 })).toMatchObject([
      { outcome: 'revoked', points: -2, scores: { all: -3 } },
    ]);
    await freezeAfter(400);
    expect(await differences()).toEqual([]);
    expect(await send({ kind: 'revoke', field: 'spam' })).toMatchObject([{ outcome: 'revoked', points: 3 }]);
    expect(await entry()).toBeNull();
    expect(await differences()).toEqual([]);
  });

  it('are found by the name that a field had by the rule that granted', async () => {
    const { send, entry, freezeAfter, differences } = await start();
    await send({ field: 'answer:1', id: 'a', points: 5 });
    await freezeAfter(400);
    const formerField = { name: 'answer:1', isOfId: false };
    expect(await send({ kind: 'revoke', field: 'answer:1a', id: 'a', points: 5, formerField })).toMatchObject([
      { outcome: 'revoked', points: -5 },
    ]);
    expect(await entry()).toBeNull();
    expect(await differences()).toEqual([]);
  });
});
