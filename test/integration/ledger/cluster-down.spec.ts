import { Ledger, Period, RollingBoard, type RedisClient } from '@laurel/leaderboard';
import { ManualClock } from '../../support/clock';
import { keptBoard } from '../../support/ledger';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';

const now = Date.parse('2036-11-20T12:00:00Z');

afterAll(closeTestRedis);

/** A client of a Cluster of which no master serves any slot. */
function downCluster(): RedisClient {
  const own: Readonly<Record<string, unknown>> = { isCluster: true, status: 'ready', nodes: () => [], slots: [] };
  const client: object = testRedis();
  return new Proxy(client, {
    get: (target, name) => {
      if (typeof name === 'string' && name in own) return own[name];
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function' || name === 'on' || name === 'once') return value;
      return () => Promise.reject(new Error('CLUSTERDOWN Hash slot not served'));
    },
  }) as RedisClient;
}

describe('a ledger on a Cluster of which no master serves a slot', () => {
  const redis = downCluster();
  const board = { ...keptBoard('day', 0), freezes: true };
  const parted = { ...keptBoard('month'), partition: 'country' };
  const prefix = freshPrefix();
  const clock = new ManualClock(now);
  const ledger = new Ledger(redis, { prefix, boards: [board, parted], ledgerRetentionMs: null, clock, terms: 'x' });
  const day = ledger.periods.dayOf(now);
  const [first, ended] = [ledger.periods.dayOf(now - 90 * 86_400_000), ledger.periods.dayOf(now - 86_400_000)];
  const rolling = new RollingBoard(redis, ledger, { board: 'day', days: 7, refreshMs: 1_000 });
  const week = Period.of({ kind: 'rolling', days: 7 }, new Date(now), 'UTC');
  const calls: Record<string, () => Promise<unknown>> = {
    prepare: () => ledger.prepare(),
    periods: () => ledger.periods.written('day'),
    unsettled: () => ledger.periods.unsettled('day'),
    markSettled: () => ledger.periods.markSettled('day', ended),
    stateOf: () => ledger.periods.stateOf('day', ended),
    terms: () => ledger.terms.all(),
    histories: () => ledger.history.ofMembers(['ann'], first, day),
    partitions: () => ledger.periods.partitions('month', ledger.periods.of('month')).next(),
    partsAt: () => ledger.grants.partsAt('ann', now),
    eraseFromWindows: () => ledger.erasure.eraseFromWindows('ann'),
    move: () => ledger.excluded.move('ann', 'aside'),
    'a rolling window': () => rolling.reader(week).top(3),
    'an entry': () => ledger.board('day', day).entry('ann'),
  };

  it.each(Object.entries(calls))('says of %s that it is unavailable', async (_, call) => {
    await expect(call()).rejects.toMatchObject({ name: 'LeaderboardError', code: 'unavailable' });
  });
});
