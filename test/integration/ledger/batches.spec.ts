import {
  LeaderboardError,
  Ledger,
  LedgerAudit,
  Period,
  type RedisClient,
  RollingBoard,
  type TransitionLimit,
} from '@laurel/leaderboard';
import clusterKeySlot from 'cluster-key-slot';
import { Redis } from 'ioredis';
import { redisOfTest } from '../../support/own-servers';
import { hostileNames } from '../activity/support/hostile-names';
import { grantsAt, keptBoard, keptLedger, rawBoard } from '../../support/ledger';
import { afterThisTest, countingRedis, dayMs, freshPrefix, keysLike, ManualClock, testRedis } from '../../support';

const redis = testRedis();

const now = Date.parse('2036-11-20T12:00:00Z');

describe('batches', () => {
  const grant = grantsAt(now - 1000);

  function made({ redis = testRedis(), shards = 1 }: { readonly redis?: Redis; readonly shards?: number } = {}) {
    const boards = [keptBoard('day'), keptBoard('month')];
    const ledger = keptLedger(redis, { boards, shards, clock: now });
    const board = () => ledger.board('day', ledger.periods.of('day'));
    const differences = async () => (await new LedgerAudit(redis, ledger).run()).differences;
    return { redis, ledger, board, differences };
  }

  describe('a batch of one shard', () => {
    it('may be of any size: boards have every member of 4,500', async () => {
      const { ledger, board, differences } = made();
      const batch = Array.from({ length: 4_500 }, (_, i) => grant(`m${i}`, 'p:1'));
      const results = await ledger.applyToShard(0, batch);
      expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['granted']));
      expect(results).toHaveLength(4_500);
      expect(await board().size()).toBe(4_500);
      expect(await differences()).toBe(0);
      const again = await ledger.applyToShard(0, batch);
      expect(new Set(again.map(({ outcome }) => outcome))).toEqual(new Set(['duplicate']));
    });

    it('is one script call, and looks once at each board and ledger', async () => {
      // What scripts do inside is counted by the server: it is this test's alone.
      const client = new Redis((await redisOfTest()).url);
      afterThisTest(() => client.disconnect());
      const { ledger } = made({ redis: client });
      await ledger.prepare();
      await client.config('RESETSTAT');
      await ledger.apply(Array.from({ length: 100 }, (_, i) => grant(`m${i}`, 'p:1')));
      const stats = await client.info('commandstats');
      const countOf = (name: string) => Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
      expect([countOf('evalsha'), countOf('zmscore'), countOf('hgetall')]).toEqual([1, 2, 0]);
    });
  });

  it('reads what late activities of one member concern together, however many old days they are of', async () => {
    const redis = await countingRedis();
    const ledger = keptLedger(redis, { boards: [keptBoard('year')], clock: now });
    await ledger.prepare();
    const limits: TransitionLimit[] = [{ type: 'sliding', name: 'slow', max: 5, windowMs: 1_000, per: 'member' }];
    const roundsOf = async (member: string, days: number) => {
      const late = Array.from({ length: days }, (_, i) => grant(member, `p:${i}`)).map((one, i) => {
        return { ...one, limits, occurredAtMs: now - (40 + i) * dayMs };
      });
      const before = redis.rounds;
      const results = await ledger.apply(late);
      expect(results.map(({ outcome }) => outcome)).toEqual(late.map(() => 'granted'));
      return redis.rounds - before;
    };
    await roundsOf('ann', 1);
    expect(await roundsOf('bob', 15)).toBe(await roundsOf('cid', 3));
  });

  it.each([1, 3])('of 256 copies of one event over 16 connections score it once, on %d shards', async (shards) => {
    const { ledger, board } = made({ shards });
    const { prefix, boards } = ledger.settings;
    const hosts = Array.from({ length: 16 }, () => keptLedger(testRedis(), { prefix, boards, shards, clock: now }));
    const copies = Array.from({ length: 256 }, (_, i) => (hosts[i % 16] as Ledger).apply([grant('ann', 'p:1')]));
    const outcomes = (await Promise.all(copies)).flat().map(({ outcome }) => outcome);
    expect(outcomes.sort()).toEqual([...Array<string>(255).fill('duplicate'), 'granted']);
    expect(await board().top(2)).toMatchObject([{ member: 'ann', score: 1, reachedAt: new Date(now - 1000) }]);
  });

  it('answer with the score on each board after each transition', async () => {
    const [praise, view] = [grant('ann', 'p:1', { points: 2 }), grant('ann', 'v:1')];
    const revokes = [1, 2].map((ms) => ({ ...praise, kind: 'revoke' as const, occurredAtMs: now + ms }));
    const both = <T>(value: T) => ({ day: value, month: value });
    expect(await made().ledger.apply([praise, view, ...revokes])).toEqual([
      { outcome: 'granted', points: 2, scores: both(2), boards: both('counted') },
      { outcome: 'granted', points: 1, scores: both(3), boards: both('counted') },
      { outcome: 'revoked', points: -2, scores: both(1), boards: both('counted') },
      { outcome: 'notGranted', points: 0, scores: both(1), boards: both('unchanged') },
    ]);
  });

  it('of several shards end when all of them have, also where one fails', async () => {
    const { redis, ledger, differences } = made({ shards: 8 });
    await ledger.prepare();
    const members = Array.from({ length: 64 }, (_, i) => `m${i}`);
    const first = members.find((member) => ledger.shardOf(member) === 0) as string;
    const key = `{${ledger.settings.prefix}:${ledger.settings.tags[0]}}:ledger:20361120:${first}`;
    await redis.set(key, 'garbage');
    let underWay = 0;
    const run = ledger.members.run.bind(ledger.members);
    Object.assign(ledger.members, {
      run: async (...args: Parameters<typeof run>) => {
        underWay += 1;
        try {
          return await run(...args);
        } finally {
          // Those that succeed take longer.
          await new Promise((done) => setImmediate(done));
          underWay -= 1;
        }
      },
    });
    await expect(ledger.apply(members.map((member) => grant(member, 'p:1')))).rejects.toThrow('WRONGTYPE');
    expect(underWay).toBe(0);
    await redis.del(key);
    expect(await differences()).toBe(0);
  });

  it.each<[object, RegExp]>([
    [{ kind: 'Grant' }, /kind is "Grant": use one of grant, revoke, adjust, hold, release, revalue/],
    [{ kind: 'revalue' }, /A revaluation has a function worth/],
    [{ member: '' }, /A member is a well-formed string of 1 to 128 bytes/],
    [{ member: 'x'.repeat(129) }, /1 to 128 bytes/],
    [{ member: '\ud800' }, /well-formed/],
    [{ member: null }, /A member is/],
    [{ field: 'é'.repeat(49) }, /A field is a well-formed string of 1 to 96 bytes/],
    [{ field: 7 }, /A field is/],
    [{ id: '' }, /An id is a well-formed string of 1 to 96 bytes/],
    [{ points: 0.5 }, /worth 0.5 points/],
    [{ points: '3' }, /worth 3 points: use a whole number/],
    [{ occurredAtMs: NaN }, /A moment is/],
    [{ occurredAtMs: new Date(now) }, /A moment is/],
    [{ sequence: -1 }, /sequence is -1/],
    [{ grantedAtMs: now }, /grantedAtMs is for revokes only/],
    [{ partitions: { country: 7 } }, /A partition is/],
    [{ field: 'adjust:1' }, /is that of an adjustment/],
    [{ kind: 'adjust', note: 'why' }, /adjustmentField/],
    [{ kind: 'adjust', field: 'adjust:1', points: 0, note: 'why' }, /other than 0/],
    [{ kind: 'adjust', field: 'adjust:1' }, /has a note/],
    [{ kind: undefined }, /kind is undefined/],
    [{ grantedAtMs: {} }, /A moment is/],
    [{ version: 'v1' }, /version is v1/],
    [{ partitions: 3 }, /partitions are an object/],
    [{ counterpart: {} }, /A member is/],
    [{ names: 3 }, /names is no list/],
    [{ names: [''] }, /A member is/],
  ])('are refused for a transition malformed by %j, before anything is sent', async (fault, message) => {
    const redis = await countingRedis();
    const { ledger, board } = made({ redis, shards: 3 });
    await ledger.prepare();
    const bad = { ...grant('ann', 'p:1'), ...fault };
    const sent = await redis.during(async () => {
      const failure = await ledger.apply([grant('bob', 'p:1'), bad]).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(LeaderboardError);
      expect(failure).toMatchObject({ code: 'invalidArgument', message: expect.stringMatching(message) as unknown });
    });
    expect(sent).toEqual([]);
    expect(await board().size()).toBe(0);
  });
});

describe('the keys of a ledger', () => {
  const noon = Date.parse('2036-11-20T12:00:00Z');
  const today = Period.of('day', new Date(noon), 'UTC');

  const view = (member: string, field: string, occurredAtMs = noon) => grantsAt(occurredAtMs)(member, field);

  const only = { where: [{ partition: 'topic', only: ['one'] }] };
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
        { ...keptBoard('day', 0), name: 'some', ...only, retentionMs: retentionMs.day },
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
    const ledger = newLedger({ day: 31 * dayMs, month: 365 * dayMs, ledger: 31 * dayMs });
    await ledger.apply([view('ann', 'a'), { ...view('ann', 'of one'), partitions: { topic: 'one' } }]);
    const first = await expiries(ledger);
    const endOfDay = Date.parse('2036-11-21T00:00:00Z');
    expect(first).toEqual({
      'board:day:2036-11-20': endOfDay + 31 * dayMs,
      'board:month:2036-11': Date.parse('2036-12-01T00:00:00Z') + 365 * dayMs,
      'board:some:2036-11-20': endOfDay + 31 * dayMs,
      'ledger:20361120:ann': endOfDay + 31 * dayMs,
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
    const strings = [...hostileNames.filter((name) => Buffer.byteLength(name) < 96), '\\', '"', '01'];
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

describe('a ledger on a Cluster of which no master serves a slot', () => {
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
    eraseFromWindows: () => ledger.erasure.eraseFromWindows('ann'),
    move: () => ledger.excluded.move('ann', 'aside'),
    'a rolling window': () => rolling.reader(week).top(3),
    'an entry': () => ledger.board('day', day).entry('ann'),
  };

  it.each(Object.entries(calls))('says of %s that it is unavailable', async (_, call) => {
    await expect(call()).rejects.toMatchObject({ name: 'LeaderboardError', code: 'unavailable' });
  });
});
