import { LedgerAudit } from '@laurel/leaderboard';
import { ManualClock } from '../../support/clock';
import { withBetween } from '../../support/between-trips';
import { keptBoard, keptLedger } from '../../support/ledger';
import { ownRedis } from '../../support/own-servers';
import { freshPrefix } from '../../support/redis';

const now = Date.parse('2036-11-20T12:00:00Z');

/** Of this file alone: an audit looks through all keys. */
const server = ownRedis();

describe('the pages of an audit', () => {
  const ledgerIn = (prefix: string, timezone: string) =>
    keptLedger(server.client, {
      prefix,
      timezone,
      clock: new ManualClock(now),
      boards: [keptBoard('day'), keptBoard('month')],
    });

  it.each(['UTC', 'America/New_York', 'Asia/Shanghai'])(
    'end where the periods were written in another zone, Europe/Berlin, and are read in %s',
    async (zone) => {
      const prefix = freshPrefix();
      const berlin = ledgerIn(prefix, 'Europe/Berlin');
      await berlin.prepare();
      await berlin.apply([{ kind: 'grant', member: 'ann', field: 'v:1', points: 3, occurredAtMs: now }]);
      const redis = server.client;
      const reads = jest.spyOn(redis, 'zrange');
      const interrupt = new AbortController();
      const signal = AbortSignal.any([interrupt.signal, AbortSignal.timeout(60_000)]);
      await new LedgerAudit(redis, ledgerIn(prefix, zone), { countsOn: () => null, signal }).run();
      expect(reads.mock.calls.length).toBeLessThan(20);
      reads.mockRestore();
    },
  );

  it('end at whichever step they are told to', async () => {
    const prefix = freshPrefix();
    const ledger = ledgerIn(prefix, 'UTC');
    await ledger.prepare();
    await ledger.apply([{ kind: 'grant', member: 'ann', field: 'v:1', points: 3, occurredAtMs: now }]);
    let trips = 0;
    for (let trip = 1, isDone = true; isDone; trip++) {
      isDone = false;
      const redis = server.client;
      const interrupt = new AbortController();
      const work = async () => {
        isDone = true;
        interrupt.abort(new Error('interrupted'));
        await Promise.resolve();
      };
      const audit = new LedgerAudit(redis, ledger, { countsOn: () => null, signal: interrupt.signal });
      const run = withBetween(redis, { trip, work }, () => audit.run());
      // The last of its steps may be the one that is told.
      const ended = await run.then(
        () => 'whole',
        (error: Error) => error.message,
      );
      if (isDone) trips = trip;
      if (isDone && ended === 'whole') expect(trip).toBeGreaterThan(5);
    }
    expect(trips).toBeGreaterThan(5);
  });
});
