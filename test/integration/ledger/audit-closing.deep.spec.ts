import { LedgerAudit, Period, type AuditDifference, type Ledger } from '@laurel/leaderboard';
import { withBetween } from '../../support/between-trips';
import { keptBoard, keptLedger, rawBoard } from '../../support/ledger';
import { ownRedis } from '../../support/own-servers';
import { freshPrefix, hourMs, ManualClock } from '../../support';

const dayEnd = Date.parse('2036-11-21T00:00:00Z');
const latenessMs = hourMs;
const skewMs = 300_000;
/** Long enough before the day closes that no clock has closed it. */
const before = dayEnd + latenessMs - skewMs - 1_000;
const closed = dayEnd + latenessMs;

/** Of this file alone: an audit looks through all keys, and is tried at each of its steps. */
const server = ownRedis();

describe('an audit while a period closes', () => {
  const day = Period.of('day', new Date(dayEnd - 1), 'UTC');
  let prefix: string;
  let clock: ManualClock;
  let ledger: Ledger;

  const ledgerAt = (own: ManualClock) =>
    keptLedger(server.client, {
      prefix,
      clock: own,
      clockSkewMs: skewMs,
      boards: [{ ...keptBoard('day', latenessMs), freezes: true }, keptBoard('month')],
    });

  const grant = (member: string, field = 'v:1') => ({
    kind: 'grant' as const,
    ...{ member, field, points: 2, occurredAtMs: dayEnd - hourMs },
  });

  const start = async (): Promise<void> => {
    prefix = freshPrefix();
    clock = new ManualClock(before);
    ledger = ledgerAt(clock);
    await ledger.prepare();
    await ledger.apply(['ann', 'bob', 'carl'].map((member) => grant(member)));
  };

  beforeEach(start);

  async function audit(heals: boolean, { trip, work }: { trip: number; work: () => Promise<unknown> }) {
    const found: AuditDifference[] = [];
    const redis = server.client;
    const onDifference = (difference: AuditDifference) => found.push(difference);
    const run = new LedgerAudit(redis, ledger, { heals, onDifference });
    let isDone = false;
    const noted = async () => {
      isDone = true;
      await work();
    };
    const summary = await withBetween(redis, { trip, work: noted }, () => run.run());
    return { found, summary, isDone };
  }

  /** The period closes, late activities of its day are answered `closed`, and it is settled. */
  const close = (isSettled: boolean) => async () => {
    clock.set(closed);
    const others = ledgerAt(clock);
    const [late] = await others.apply([grant('late')]);
    expect(late).toMatchObject({ outcome: 'granted', boards: { day: 'closed', month: 'counted' } });
    await others.apply([grant('ann', 'v:late')]);
    if (isSettled) await others.periods.freeze('day', day);
  };

  it('that rebuilds changes nothing of a board that is settled meanwhile, at whichever step of it', async () => {
    const was = await rawBoard(server.client, ledger, 'day', day);
    let trips = 0;
    for (let trip = 1; ; trip++) {
      await start();
      const { found, isDone } = await audit(true, { trip, work: close(true) });
      if (!isDone) break;
      trips = trip;
      expect(found.filter(({ board }) => board === 'day')).toEqual([]);
      expect(await rawBoard(server.client, ledger, 'day', day)).toEqual(was);
    }
    expect(trips).toBeGreaterThan(5);
  });

  it.each([true, false])(
    'that verifies tells no difference as it closes, settled: %s, at whichever step of it',
    async (isSettled) => {
      let trips = 0;
      for (let trip = 1; ; trip++) {
        await start();
        const { found, isDone, summary } = await audit(false, { trip, work: close(isSettled) });
        if (!isDone) break;
        trips = trip;
        expect(found).toEqual([]);
        const isCompared = summary.periods.some(({ board, period }) => board === 'day' && period === day.key);
        if (isCompared) expect(summary.gaps).toContainEqual({ board: 'day', period: day.key, reason: 'closed' });
      }
      expect(trips).toBeGreaterThan(5);
    },
  );

  it('tells no difference where another host, whose clock is ahead, has closed the period already', async () => {
    clock.set(closed - 1_000);
    const ahead = ledgerAt(new ManualClock(closed + 900));
    expect(await ahead.apply([grant('late')])).toMatchObject([{ boards: { day: 'closed' } }]);
    const { found, summary } = await audit(false, { trip: Infinity, work: () => Promise.resolve() });
    expect(found).toEqual([]);
    expect(summary.periods.map(({ period }) => period)).not.toContain(day.key);
  });
});
