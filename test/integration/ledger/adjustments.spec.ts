import { Ledger, type LedgerBoard, type LedgerOptions, type Transition } from '@laurel/leaderboard';
import { adjustmentField } from '@laurel/leaderboard/internals';
import { auditOf } from '../../support/differences';
import { dayMs, freshPrefix, hourMs, ManualClock, testRedis } from '../../support';

const redis = testRedis();

/** Ahead, so that nothing expires. */
const noon = Date.parse('2037-11-20T12:00:00Z');

const boards: readonly LedgerBoard[] = [
  { name: 'day', period: 'day', retentionMs: 31 * dayMs, latenessMs: hourMs },
  { name: 'month', period: 'month', retentionMs: 365 * dayMs, latenessMs: hourMs },
];

describe.each([
  [1, 31 * dayMs],
  [3, null],
] as const)('adjustments, on %d shards with ledgers kept for %s ms', (shards, ledgerRetentionMs) => {
  const start = (more: Partial<LedgerOptions> = {}) => {
    const clock = new ManualClock(noon);
    const ledger = new Ledger(redis, { prefix: freshPrefix(), shards, boards, ledgerRetentionMs, clock, ...more });
    const send = async (transition: Partial<Transition>) => {
      const full = { kind: 'grant', member: 'ann', field: 'v:1', points: 1, occurredAtMs: clock.now(), ...transition };
      const [result] = await ledger.apply([full as Transition]);
      return result as NonNullable<typeof result>;
    };
    const adjust = (points: number, id: string, more: Partial<Transition> = {}) =>
      send({ kind: 'adjust', field: adjustmentField(id), points, note: 'because', ...more });
    const today = () => ledger.periods.of('day');
    const score = async (board: 'day' | 'month', member = 'ann') =>
      (await ledger.board(board, ledger.periods.of(board)).score(member)) ?? 0;
    return { clock, ledger, send, adjust, today, score };
  };

  it('costs nobody an earlier moment where it takes points', async () => {
    const { clock, ledger, send, adjust, today } = start();
    await send({ points: 5 });
    clock.advance(hourMs);
    await adjust(-1, 'a');
    expect(await ledger.board('day', today()).entry('ann')).toMatchObject({ score: 4, reachedAt: new Date(noon) });
    await adjust(3, 'b');
    const reachedAt = new Date(noon + hourMs);
    expect(await ledger.board('day', today()).entry('ann')).toMatchObject({ score: 7, reachedAt });
    const late = { field: 'v:2', occurredAtMs: noon + 2 * hourMs };
    clock.advance(2 * hourMs);
    await send(late);
    await adjust(-2, 'c');
    await send({ ...late, kind: 'revoke' });
    expect(await ledger.board('day', today()).entry('ann')).toMatchObject({ score: 5, reachedAt });
    expect(await auditOf(redis, ledger)).toEqual({ differences: [], gaps: [] });
  });

  it('leaves frozen boards as they are', async () => {
    const { clock, send, adjust, ledger } = start();
    await send({ points: 5 });
    const yesterday = ledger.periods.of('day');
    clock.set('2037-11-21T00:30:00Z');
    await ledger.periods.freeze('day', yesterday);
    expect(await adjust(-3, 'a', { grantedAtMs: yesterday.start.getTime() })).toMatchObject({
      points: -3,
      boards: { day: 'closed', month: 'counted' },
    });
    expect(await ledger.board('day', yesterday).score('ann')).toBe(5);
  });

  it('refuses what a board cannot hold, and the id is still free', async () => {
    const { adjust } = start();
    const rejected = { outcome: 'rejected', points: 0, reason: 'scoreOutOfRange' };
    expect(await adjust(2 ** 53 - 2, 'a')).toMatchObject({ outcome: 'granted' });
    const refused = await adjust(2, 'b');
    expect(refused).toMatchObject(rejected);
    // The score is what it was, and no 0.
    expect(refused.scores).toEqual({});
    expect(await adjust(1, 'b')).toMatchObject({ outcome: 'granted', scores: { day: 2 ** 53 - 1 } });
  });
});
