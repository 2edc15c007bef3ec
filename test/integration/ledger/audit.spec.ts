import { LedgerAudit, type Ledger, type LedgerOptions } from '@laurel/leaderboard';
import { withBetween } from '../../support/between-trips';
import { dayMs, ManualClock } from '../../support/clock';
import { auditOf } from '../../support/differences';
import { keys } from '../../support/keys';
import { keptBoard, keptLedger, rawBoard } from '../../support/ledger';
import { ownRedis } from '../../support/own-servers';

const now = Date.parse('2036-11-20T12:00:00Z');

/** Of this file alone: an audit looks through all keys. */
const server = ownRedis();

const ledgerOf = (options: Partial<LedgerOptions> = {}) =>
  keptLedger(server.client, { ...{ clock: now, boards: [keptBoard('day'), keptBoard('month')] }, ...options });
const grant = { kind: 'grant', member: 'ann', field: 'v:1', points: 3, occurredAtMs: now } as const;

/** What an audit tells: the fault, where and what. */
const told = async (ledger: Ledger, heals = false) =>
  (await auditOf(server.client, ledger, { heals })).differences.map(
    ({ fault, board, period, of = '', member, expected, found }) =>
      `${fault} ${board}${of && `/${of}`} ${period} ${member} ${expected} ${found}`,
  );

/** Another client that does something each time after an audit has read a member's facts. */
function disturb(ledger: Ledger, work: () => Promise<unknown>): void {
  const read = ledger.facts.read.bind(ledger.facts);
  jest.spyOn(ledger.facts, 'read').mockImplementation(async (member, look) => {
    const found = await read(member, look);
    await work();
    return found;
  });
}

it.each([
  [19, false, 0],
  [20, false, 1],
  [19, true, 0],
  [20, true, 1],
])(
  'an audit of a member whose facts never rest that change %d times, repair: %s: leaves %d unread, compared and put right at the next run',
  async (changes, heals, unread) => {
    const redis = server.client;
    const ledger = ledgerOf();
    const { prefix, tags } = ledger.settings;
    const [tag = ''] = tags;
    const day = keys.ledger(prefix, tag, '20361120', 'ann');
    await ledger.prepare();
    await ledger.apply([grant]);
    const month = keys.board(prefix, tag, 'month', '2036-11');
    await redis.zrem(month, 'ann');
    let changed = 0;
    disturb(ledger, async () => {
      if (changed === changes) return;
      changed += 1;
      await redis.hset(day, 'v:1', `${3}:1:${now + changed}:0`);
    });
    const { differences } = await auditOf(redis, ledger, { heals });
    expect(changed).toBe(changes);
    const named = { board: 'days', period: '2036-11-20', member: 'ann', isHealed: false };
    expect(differences.filter(({ fault }) => fault === 'unread')).toMatchObject(unread > 0 ? [named] : []);
    expect(await told(ledger, true)).toHaveLength(heals && unread === 0 ? 0 : 2);
    expect(await told(ledger)).toEqual([]);
  },
);

describe('an audit of entries that are not what facts say', () => {
  const topics = { ...keptBoard('day'), name: 'topics', partition: 'topic' } as const;

  it.each([1, 3])('names each, and a repair leaves none, on %d shards', async (shards) => {
    const redis = server.client;
    const ledger = ledgerOf({ shards, keepsFirstDays: true, boards: [keptBoard('day'), keptBoard('month'), topics] });
    const { prefix, tags } = ledger.settings;
    const tagOf = (member: string) => tags[ledger.shardOf(member)] as string;
    const [dayOf, monthOf] = ['day:2036-11-20', 'month:2036-11'].map((name) => {
      const [board = '', period = ''] = name.split(':');
      return (member: string) => keys.board(prefix, tagOf(member), board, period);
    }) as [(member: string) => string, (member: string) => string];
    const topicOf = (member: string, topic: string) =>
      keys.boardPart(prefix, tagOf(member), 'topics', '2036-11-20', topic);
    await ledger.prepare();
    const members = ['ann', 'bob', 'cid', 'dan', 'eve', 'flo', 'gus'];
    await ledger.apply(members.map((member) => ({ ...grant, member, partitions: { topic: 'ts' } })));
    await ledger.excluded.move('eve', 'aside');
    expect(await told(ledger)).toEqual([]);

    await redis.zrem(monthOf('ann'), 'ann');
    await redis.zadd(monthOf('nobody'), 2 ** 33, 'nobody');
    await redis.zincrby(dayOf('bob'), -1_000, 'bob');
    await redis.zincrby(dayOf('cid'), 1_000, 'cid');
    await redis.zrem(topicOf('cid', 'ts'), 'cid');
    await redis.zadd(topicOf('dan', 'ts'), 2 ** 33, 'dan');
    await redis.zadd(topicOf('dan', 'js'), 2 ** 33, 'dan');
    await redis.zadd(keys.boardParts(prefix, tagOf('dan'), 'topics', '2036-11-20'), 0, 'js');
    await redis.zadd(dayOf('eve'), 2 ** 33, 'eve');
    await redis.zrem(keys.firstDays(prefix, tagOf('flo')), 'flo');
    const today = Date.parse('2036-11-20');
    await redis.zadd(keys.firstDays(prefix, tagOf('gus')), today / dayMs + 1, 'gus');
    expect((await told(ledger)).sort()).toEqual([
      `firstDay firstDays 2036-11-20 flo ${today} null`,
      `firstDay firstDays 2036-11-20 gus ${today} ${today + dayMs}`,
      'points month 2036-11 ann 3 null',
      'points topics/js 2036-11-20 dan 0 64',
      'points topics/ts 2036-11-20 cid 3 null',
      'points topics/ts 2036-11-20 dan 3 64',
      `time day 2036-11-20 bob ${now} ${now + 1_000}`,
      `time day 2036-11-20 cid ${now} ${now - 1_000}`,
      'twice day 2036-11-20 eve 3 3',
      'unfounded month 2036-11 nobody 0 2',
    ]);
    expect(await told(ledger, true)).toHaveLength(10);
    expect(await told(ledger)).toEqual([]);
    expect(await redis.zscore(dayOf('eve'), 'eve')).toBeNull();
  });

  it('takes nothing for a difference while recording goes on, and a repair overwrites nothing', async () => {
    const redis = server.client;
    const ledger = ledgerOf({ boards: [keptBoard('day'), keptBoard('month'), topics] });
    await ledger.prepare();
    const members = Array.from({ length: 20 }, (_, n) => `user ${n}`);
    let [isOver, n] = [false, 0];
    const act = async (): Promise<void> => {
      n += 1;
      const kind = n % 4 === 3 ? 'revoke' : 'grant';
      const member = members[n % 20] as string;
      const field = `v:${n % 9}`;
      await ledger.apply([{ ...grant, kind, member, field, occurredAtMs: now - 1e7 + n, partitions: { topic: 'ts' } }]);
    };
    const recording = (async () => {
      while (!isOver) await act();
    })();
    for (let i = 0; i < 6; i += 1) expect(await told(ledger, i % 2 === 1)).toEqual([]);
    for (const board of ['day', 'month']) {
      const period = ledger.periods.of(board);
      await redis.del(ledger.periods.boardPeriod(board, period, null).keys[0] as string);
    }
    await told(ledger, true);
    isOver = true;
    await recording;
    expect(await told(ledger)).toEqual([]);
  });

  it('knows what others gave on a crowded day, and gives owners what they are owed first', async () => {
    const redis = server.client;
    const ledger = ledgerOf();
    const { prefix, tags } = ledger.settings;
    await ledger.prepare();
    const givers = Array.from({ length: 300 }, (_, n) => `giver ${n}`);
    const gift = { member: 'ann', points: 2 };
    await ledger.apply(givers.map((member, i) => ({ ...grant, member, occurredAtMs: now + i, gift })));
    expect(await redis.keys(`{${prefix}:*}:page:*`)).not.toEqual([]);
    expect(await told(ledger)).toEqual([]);
    const month = keys.board(prefix, tags[0] as string, 'month', '2036-11');
    const score = await redis.zscore(month, 'ann');
    await redis.zrem(month, 'ann');
    expect(await told(ledger, true)).toEqual(['points month 2036-11 ann 600 null']);
    expect(await redis.zscore(month, 'ann')).toBe(score);

    const owed = { ...{ day: Math.floor(now / dayMs), name: 'v:1', owner: 'bob', turn: 9, points: 4, version: 1 } };
    const note = { ...owed, since: { ms: now, sequence: 0 }, parts: null, isNew: true };
    await redis.hset(keys.owed(prefix, tags[0] as string, 'ann'), `${owed.day} v:1`, JSON.stringify(note));
    await redis.zadd(keys.owing(prefix, tags[0] as string), now, 'ann');
    expect(await told(ledger)).toEqual([]);
    expect(await ledger.board('month', ledger.periods.of('month')).entry('bob')).toMatchObject({ score: 4 });
    expect(await redis.exists(keys.owed(prefix, tags[0] as string, 'ann'))).toBe(0);
  });

  it('tells of facts that it cannot read, and compares all others', async () => {
    const redis = server.client;
    const ledger = ledgerOf();
    const { prefix, tags } = ledger.settings;
    await ledger.apply(['ann', 'bob', 'cid'].map((member) => ({ ...grant, member })));
    const dayOf = (member: string) => keys.ledger(prefix, tags[0] as string, '20361120', member);
    await redis.hset(dayOf('ann'), 'v:9', 'garbage');
    await redis.set(dayOf('bob'), 'garbage');
    await redis.zrem(keys.board(prefix, tags[0] as string, 'month', '2036-11'), 'cid');
    expect((await told(ledger)).sort()).toEqual([
      'points month 2036-11 cid 3 null',
      'unread days 2036-11-20 ann 1 null',
      'unread days 2036-11-20 bob 1 null',
    ]);
  });
});

describe('an audit', () => {
  it('of a ledger that waits for replicas leaves nothing behind on the client', async () => {
    const ledger = ledgerOf({ waitForReplicas: { replicas: 1, timeoutMs: 10 } });
    const before = server.client.listenerCount('end');
    for (let i = 0; i < 3; i++) await new LedgerAudit(server.client, ledger).run();
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
    const audit = new LedgerAudit(server.client, ledger, { heals: true });
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
      await new LedgerAudit(server.client, ledger, { signal: new AbortController().signal }).run();
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
    const audit = new LedgerAudit(server.client, ledger, { heals: true });
    expect(await audit.run()).toMatchObject({ differences: 1, healed: 1, gaps: [] });
  });

  it('that repairs ends at whichever step it is told to, and leaves nothing that the next does not put right', async () => {
    const ledger = ledgerOf();
    await ledger.prepare();
    const members = ['ann', 'bob', 'cid'];
    await ledger.apply(members.map((member) => ({ ...grant, member })));
    const [month = ''] = ledger.periods.boardPeriod('month', ledger.periods.of('month'), null).keys;
    let trips = 0;
    for (let trip = 1, isDone = true; isDone; trip++) {
      isDone = false;
      await server.client.zrem(month, ...members);
      const interrupt = new AbortController();
      const work = () => {
        isDone = true;
        interrupt.abort(new Error('interrupted'));
        return Promise.resolve();
      };
      const audit = new LedgerAudit(server.client, ledger, { signal: interrupt.signal, heals: true });
      const ended = await withBetween(server.client, { trip, work }, () => audit.run()).catch((error: Error) => error);
      if (isDone) trips = trip;
      // The last of its steps may be the one that is told.
      if (ended instanceof Error) expect(ended.message).toBe('interrupted');
      else if (isDone) expect(trip).toBeGreaterThan(5);
      await told(ledger, true);
      expect(await told(ledger)).toEqual([]);
    }
    expect(trips).toBeGreaterThan(5);
  });
});
