import { Ledger, LedgerAudit, Period, type AuditDifference, type Transition } from '@laurel/leaderboard';
import type { Redis } from 'ioredis';
import { ManualClock } from '../../support/clock';
import { hotLedgers, keepCold, RedisColdLedgers } from '../../support/cold';
import { describeColdLedgers } from '../../support/cold-contract';
import { keptBoard, keptLedger, rawBoard } from '../../support/ledger';
import { ownRedis } from '../../support/own-servers';
import { closeTestRedis, CountingRedis, freshPrefix, testRedis, testRedisUrl } from '../../support/redis';

const dayMs = 86_400_000;
const givenMs = Date.parse('2036-02-03T12:00:00.000Z');
const all = Period.parse('all', 'all', 'UTC');
const year = Period.parse('year', '2036', 'UTC');

const praise = (change: Partial<Transition> = {}): Transition => ({
  ...{ kind: 'grant', member: 'ann', field: 'praise:article:7', points: 2, occurredAtMs: givenMs },
  ...change,
});
const praiseOf = (field: string, atMs: number) => praise({ field, occurredAtMs: atMs });

const redis = testRedis();
afterAll(closeTestRedis);

// A store looks at every key for members who have any.
const own = ownRedis();
describeColdLedgers('Redis', (ledger) => new RedisColdLedgers(own.client, ledger));

describe('ledgers that are too old for Redis', () => {
  let ledger: Ledger;
  const clock = new ManualClock(givenMs);
  beforeEach(async () => {
    clock.set(givenMs);
    ledger = open(redis);
    await ledger.prepare();
  });

  function open(client: Redis, options: { readonly prefix?: string; readonly retentionMs?: number | null } = {}) {
    const { prefix = freshPrefix(), retentionMs = null } = options;
    const boards = (['day', 'month', 'year', 'all'] as const).map((kind) => keptBoard(kind));
    const opened = new Ledger(client, { prefix, shards: 2, boards, clock });
    keepCold(redis, opened, retentionMs);
    return opened;
  }

  const scores = async () => ({
    year: (await rawBoard(redis, ledger, 'year', year)).map(({ member, score }) => [member, score]),
    all: (await rawBoard(redis, ledger, 'all', all)).map(({ member, score }) => [member, score]),
  });
  const differences = async (heals = false) => {
    const found: AuditDifference[] = [];
    const onDifference = (one: AuditDifference) => found.push(one);
    await new LedgerAudit(redis, ledger, { countsOn: () => null, heals, onDifference }).run();
    return found;
  };
  const later = (days: number) => clock.set(givenMs + days * dayMs);

  it('leave it, once they are, and not before', async () => {
    await ledger.apply([praise(), praise({ member: 'bob' }), praiseOf('praise:8', givenMs + 1)]);
    later(31);
    expect(await ledger.freeze()).toEqual({ moved: 0, left: 0, dropped: 0 });
    later(32);
    await ledger.apply([praiseOf('praise:9', clock.now())]);
    expect(await ledger.freeze()).toEqual({ moved: 2, left: 0, dropped: 0 });
    expect(await hotLedgers(redis, ledger)).toEqual(['ledger:20360306:ann']);
    expect(await scores()).toEqual({
      year: [
        ['ann', 6],
        ['bob', 2],
      ],
      all: [
        ['ann', 6],
        ['bob', 2],
      ],
    });
    expect(await ledger.freeze()).toEqual({ moved: 0, left: 0, dropped: 0 });
  });

  it('come back for a cancellation, months later, from which every board moves that still shows the points', async () => {
    await ledger.apply([praise(), praiseOf('praise:8', givenMs + 1)]);
    later(300);
    await ledger.freeze();
    const cancel = praise({ kind: 'revoke', occurredAtMs: clock.now() });
    expect(await ledger.apply([cancel])).toMatchObject([{ outcome: 'revoked', points: -2 }]);
    expect(await ledger.apply([cancel])).toMatchObject([{ outcome: 'duplicate', points: 0 }]);
    expect(await scores()).toEqual({ year: [['ann', 2]], all: [['ann', 2]] });
    // It stays in Redis for a while, and then goes again as it is by then.
    expect(await ledger.freeze()).toMatchObject({ moved: 0, left: 1 });
    later(301);
    expect(await ledger.freeze()).toMatchObject({ moved: 1 });
    later(340);
    await ledger.freeze();
    expect(await hotLedgers(redis, ledger)).toEqual([]);
    expect(await ledger.apply([{ ...cancel, occurredAtMs: clock.now() }])).toMatchObject([{ outcome: 'notGranted' }]);
    expect(await scores()).toEqual({ year: [['ann', 2]], all: [['ann', 2]] });
  });

  it('take what names their day, and know what comes again', async () => {
    await ledger.apply([praise(), praiseOf('praise:8', givenMs + 1)]);
    later(200);
    await ledger.freeze();
    expect(await ledger.apply([praise()])).toMatchObject([{ outcome: 'duplicate' }]);
    const named = praise({ kind: 'revoke', occurredAtMs: clock.now(), grantedAtMs: givenMs });
    expect(await ledger.apply([named])).toMatchObject([{ outcome: 'revoked', points: -2 }]);
    expect(await ledger.apply([praiseOf('praise:late', givenMs + 2)])).toMatchObject([{ outcome: 'granted' }]);
    expect(await scores()).toEqual({ year: [['ann', 4]], all: [['ann', 4]] });
  });

  it('are found in Redis where they came late, until they leave', async () => {
    later(100);
    await ledger.freeze();
    expect(await ledger.apply([praise(), praise({ field: 'praise:8' })])).toMatchObject([
      { outcome: 'granted' },
      { outcome: 'granted' },
    ]);
    const cancel = praise({ kind: 'revoke', occurredAtMs: clock.now() });
    expect(await ledger.apply([cancel])).toMatchObject([{ outcome: 'revoked', points: -2 }]);
    expect(await ledger.grants.since('ann', givenMs)).toMatchObject([{ field: 'praise:8' }]);
    expect(await scores()).toEqual({ year: [['ann', 2]], all: [['ann', 2]] });
  });

  it('are found in Redis where nobody has moved them for long', async () => {
    await ledger.apply([praise(), praise({ member: 'bob' })]);
    later(1);
    await ledger.apply([praiseOf('praise:8', clock.now())]);
    later(100);
    const cancel = praise({ kind: 'revoke', occurredAtMs: clock.now() });
    expect(await ledger.apply([cancel])).toMatchObject([{ outcome: 'revoked', points: -2 }]);
    expect(await ledger.grants.since('ann', givenMs)).toMatchObject([{ field: 'praise:8' }]);
    expect(await scores()).toEqual({
      year: [
        ['bob', 2],
        ['ann', 2],
      ],
      all: [
        ['bob', 2],
        ['ann', 2],
      ],
    });
    expect(await differences()).toEqual([]);
    await ledger.erasure.erase('bob');
    expect((await redis.keys(`{${ledger.settings.prefix}:*`)).filter((key) => key.includes('bob'))).toEqual([]);
  });

  it('tell the time that is left when something of today is taken back', async () => {
    await ledger.apply([praise()]);
    later(1);
    await ledger.apply([praiseOf('praise:8', clock.now())]);
    later(150);
    await ledger.freeze();
    await ledger.apply([praiseOf('praise:9', clock.now())]);
    await ledger.apply([praise({ kind: 'revoke', field: 'praise:9', occurredAtMs: clock.now() + 1 })]);
    const [entry] = await rawBoard(redis, ledger, 'year', year);
    expect(entry).toMatchObject({ member: 'ann', score: 4 });
    expect(Math.abs((entry?.reachedAtMs ?? 0) - givenMs - dayMs)).toBeLessThan(10);
  });

  it('are gone where the store keeps them no longer', async () => {
    ledger = open(redis, { retentionMs: 100 * dayMs });
    await ledger.prepare();
    await ledger.apply([praise()]);
    later(50);
    await ledger.freeze();
    later(103);
    expect(await ledger.freeze()).toMatchObject({ dropped: 1 });
    expect(await ledger.apply([praise({ kind: 'revoke', occurredAtMs: clock.now() })])).toMatchObject([
      { outcome: 'notGranted' },
    ]);
    expect(await ledger.apply([praise()])).toMatchObject([{ outcome: 'closed' }]);
  });

  it('cost what is of today nothing, and a cancellation of today a question', async () => {
    const counting = new CountingRedis(testRedisUrl());
    const { prefix } = ledger.settings;
    const counted = open(counting, { prefix });
    await counted.prepare();
    await counted.apply([praise()]);
    const plain = new Ledger(counting, { prefix: freshPrefix(), shards: 2, boards: counted.settings.boards, clock });
    await plain.prepare();
    await plain.apply([praise()]);
    const grants = async (of: Ledger, field: string) => counting.during(() => of.apply([praise({ field })]));
    expect(await grants(counted, 'a')).toEqual(await grants(plain, 'a'));
    await counting.quit();
  });

  it('are proven by verify and restored by rebuild, where they lie', async () => {
    await ledger.apply([praise(), praiseOf('praise:8', givenMs + 1), praise({ member: 'bob' })]);
    later(40);
    await ledger.apply([praiseOf('praise:9', clock.now()), praise({ member: 'cid', occurredAtMs: clock.now() })]);
    later(100);
    await ledger.freeze();
    // One that came back, and one on a day that had none.
    await ledger.apply([praise({ kind: 'revoke', field: 'praise:8', occurredAtMs: givenMs + 2 })]);
    await ledger.apply([praise({ member: 'dan', occurredAtMs: givenMs + 5 * dayMs })]);
    const stands = await scores();
    expect(stands.all.map(([member]) => member)).toEqual(['ann', 'bob', 'dan', 'cid']);
    expect(await differences()).toEqual([]);
    const { gaps } = await new LedgerAudit(redis, ledger, { countsOn: () => null }).run();
    expect(gaps).toEqual([]);
    const hot = await hotLedgers(redis, ledger);
    for (const member of ['ann', 'bob', 'cid', 'dan']) {
      const { keys, score } = ledger.periods.boardPeriod('all', all, null);
      await redis.zincrby(keys[ledger.shardOf(member)] as string, score.unit, member);
    }
    expect(await differences(true)).toHaveLength(4);
    expect(await scores()).toEqual(stands);
    expect(await differences()).toEqual([]);
    expect(await hotLedgers(redis, ledger)).toEqual(hot);
  });

  it('wait for nothing where Redis keeps all: an audit compares each, however old', async () => {
    ledger = keptLedger(redis, { prefix: freshPrefix(), boards: [keptBoard('all')], clock });
    keepCold(redis, ledger);
    await ledger.prepare();
    await ledger.apply([praise(), praise({ member: 'bob' })]);
    later(100);
    const audit = new LedgerAudit(redis, ledger, { countsOn: () => null });
    expect(await audit.run()).toMatchObject({ ledgers: 2, entries: 2, differences: 0, gaps: [] });
  });

  it('cost a late cancellation a few commands, however many days there are, and less than half the memory', async () => {
    const counting = new CountingRedis(testRedisUrl());
    const counted = open(counting, { prefix: ledger.settings.prefix });
    await counted.prepare();
    const days = 60;
    for (let day = 0; day < days; day++) {
      later(day);
      const of = (i: number) => praiseOf(`praise:article:${day * 20 + i}`, clock.now() + i * 60_000);
      await counted.apply(
        Array.from({ length: 20 }, (_, i) => of(i)).map((one) => ({ ...one, occurredAtMs: clock.now() })),
      );
    }
    later(days + 32);
    const { prefix } = ledger.settings;
    const memory = async (pattern: string) => {
      const sizes = await Promise.all(
        (await redis.keys(pattern)).map((key) => redis.memory('USAGE', key, 'SAMPLES', 0)),
      );
      return sizes.reduce((sum: number, size) => sum + (size ?? 0), 0);
    };
    const before = await memory(`{${prefix}:*}:ledger:*`);
    expect(await counted.freeze()).toMatchObject({ moved: days });
    const after = await memory(`{${prefix}:cold-*`);
    expect(after).toBeLessThan(before / 2);
    const cancel = praise({ kind: 'revoke', field: 'praise:article:107', occurredAtMs: clock.now() });
    const isScript = (name: string) => name.startsWith('eval');
    // The scripts are known.
    await counted.apply([praise({ kind: 'revoke', field: 'praise:article:306', occurredAtMs: clock.now() })]);
    const sent = await counting.during(() => counted.apply([cancel]));
    // It is wanted, comes back and is judged; the store is asked for its days and the ledger.
    expect(sent.filter(isScript)).toEqual(['evalsha', 'evalsha', 'evalsha']);
    // Nothing of another is in the store: a question there, what is old and in Redis, and the script.
    const none = await counting.during(() => counted.apply([{ ...cancel, member: 'bob' }]));
    expect(none).toEqual(['zrange', 'evalsha']);
    await counting.quit();
  });
});
