import { LedgerAudit, type AuditDifference, type LedgerOptions } from '@laurel/leaderboard';
import { withBetween } from '../../support/between-trips';
import { ManualClock } from '../../support/clock';
import { keys } from '../../support/keys';
import { keptBoard, keptLedger, rawBoard } from '../../support/ledger';
import { ownRedis } from '../../support/own-servers';
import { freshPrefix } from '../../support/redis';

const dayMs = 86_400_000;
const now = Date.parse('2036-11-20T12:00:00Z');

/** Of this file alone: an audit looks through all keys. */
const server = ownRedis();

const ledgerOf = (options: Partial<LedgerOptions> = {}) =>
  keptLedger(server.client, {
    ...{ prefix: freshPrefix(), clock: new ManualClock(now), boards: [keptBoard('day'), keptBoard('month')] },
    ...options,
  });
const grant = { kind: 'grant', member: 'ann', field: 'v:1', points: 3, occurredAtMs: now } as const;
const countsOn = () => null;

describe('an audit of a member whose list of days never rests', () => {
  it.each([
    [19, 0, 'is read at last'],
    [20, 1, 'is named as unread, and neither compared nor put right without the list'],
  ])('that changes %d times: leaves %d unread; the member %s', async (changes, unread) => {
    const redis = server.client;
    const ledger = ledgerOf();
    const { prefix, tags } = ledger.settings;
    const [tag = ''] = tags;
    const listKey = keys.days(prefix, tag, 'ann');
    await ledger.prepare();
    await ledger.apply([grant]);
    const month = keys.board(prefix, tag, 'month', '2036-11');
    await redis.zrem(month, 'ann');

    // Another client that lists a day of hers whenever the audit has read the list.
    const reader = redis.duplicate();
    const read = reader.zrange.bind(reader) as (...args: unknown[]) => Promise<string[]>;
    let changed = 0;
    const disturbed = async (...args: unknown[]): Promise<string[]> => {
      const found = await read(...args);
      if (args[0] === listKey && args[3] === 'BYSCORE' && changed < changes) {
        changed += 1;
        // Each of the days of the month before hers, and then the first of them goes again.
        const day = Date.parse('2036-11-01') / dayMs + ((changed - 1) % 19);
        await (changed <= 19 ? redis.zadd(listKey, day, day) : redis.zrem(listKey, day));
      }
      return found;
    };
    Object.assign(reader, { zrange: disturbed });
    const found: AuditDifference[] = [];
    const onDifference = (difference: AuditDifference) => found.push(difference);
    const summary = await new LedgerAudit(reader, ledger, { countsOn, heals: true, onDifference }).run();
    reader.disconnect();
    expect(changed).toBe(changes);
    const named = { board: 'days', period: '2036-11-20', member: 'ann', isHealed: false };
    expect(found.filter(({ fault }) => fault === 'unread')).toMatchObject(unread > 0 ? [named] : []);
    expect(summary.healed).toBe(summary.differences - unread);
    // Nothing else reads the list by now: the next run repairs an unread member.
    await new LedgerAudit(redis, ledger, { countsOn, heals: true }).run();
    expect(await redis.zscore(month, 'ann')).not.toBeNull();
  });
});

describe('an audit', () => {
  it('of a ledger that waits for replicas leaves nothing behind on the client', async () => {
    const ledger = ledgerOf({ waitForReplicas: { replicas: 1, timeoutMs: 10 } });
    const before = server.client.listenerCount('end');
    for (let i = 0; i < 3; i++) await new LedgerAudit(server.client, ledger, { countsOn }).run();
    expect(server.client.listenerCount('end')).toBe(before);
    ledger.close();
  });

  it('compares and restores a day that has ended until any clock could have closed it', async () => {
    const clock = new ManualClock(now);
    const ledger = ledgerOf({ clock, clockSkewMs: 300_000, boards: [keptBoard('day', 3_600_000)] });
    await ledger.apply(['ann', 'bob', 'carl'].map((member) => ({ ...grant, member })));
    const day = ledger.periods.of('day');
    clock.set('2036-11-21T00:54:59Z');
    const was = await rawBoard(server.client, ledger, 'day', day);
    await server.client.del(ledger.periods.boardPeriod('day', day, null).keys[0] as string);
    const audit = new LedgerAudit(server.client, ledger, { countsOn, heals: true });
    expect(await audit.run()).toMatchObject({ differences: 3, healed: 3, gaps: [] });
    expect(await rawBoard(server.client, ledger, 'day', day)).toEqual(was);
  });

  it.each(['UTC', 'America/New_York', 'Asia/Shanghai'])(
    'reads a few pages where the periods were written in another zone, Europe/Berlin, and are read in %s',
    async (timezone) => {
      const berlin = ledgerOf({ timezone: 'Europe/Berlin' });
      await berlin.prepare();
      await berlin.apply([grant]);
      const reads = jest.spyOn(server.client, 'zrange');
      const ledger = ledgerOf({ prefix: berlin.settings.prefix, timezone });
      await new LedgerAudit(server.client, ledger, { countsOn, signal: new AbortController().signal }).run();
      expect(reads.mock.calls.length).toBeLessThan(20);
      reads.mockRestore();
    },
  );

  it.each(['UTC', 'America/New_York'])('compares all time where all ledgers are kept, also in %s', async (timezone) => {
    const ledger = ledgerOf({ timezone, ledgerRetentionMs: null, boards: [{ ...keptBoard('day'), period: 'all' }] });
    await ledger.prepare();
    await ledger.apply([grant]);
    const [board = ''] = ledger.periods.boardPeriod('day', ledger.periods.of('day'), null).keys;
    await server.client.zadd(board, 'INCR', 2 ** 43, 'ann');
    const audit = new LedgerAudit(server.client, ledger, { countsOn, heals: true });
    expect(await audit.run()).toMatchObject({ differences: 1, healed: 1, gaps: [] });
  });

  it('ends at whichever step it is told to', async () => {
    const ledger = ledgerOf();
    await ledger.prepare();
    await ledger.apply([grant]);
    let trips = 0;
    for (let trip = 1, isDone = true; isDone; trip++) {
      isDone = false;
      const interrupt = new AbortController();
      const work = () => {
        isDone = true;
        interrupt.abort(new Error('interrupted'));
        return Promise.resolve();
      };
      const audit = new LedgerAudit(server.client, ledger, { countsOn, signal: interrupt.signal });
      const ended = await withBetween(server.client, { trip, work }, () => audit.run()).catch((error: Error) => error);
      if (isDone) trips = trip;
      // The last of its steps may be the one that is told.
      if (ended instanceof Error) expect(ended.message).toBe('interrupted');
      else if (isDone) expect(trip).toBeGreaterThan(5);
    }
    expect(trips).toBeGreaterThan(5);
  });
});
