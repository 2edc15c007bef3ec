import { ownerField } from '@laurel/activity/internals';
import { PostgresColdStores } from '@laurel/archive';
import { Ledger, LedgerAudit, Period, type AuditDifference, type Transition } from '@laurel/leaderboard';
import type { ColdLedgers } from '@laurel/leaderboard/internals';
import type { PostgresServer } from '@laurel/servers';
import { Pool } from 'pg';
import { ManualClock } from '../../support/clock';
import { hotLedgers, RedisColdLedgers, thawed } from '../../support/cold';
import { doneTo, fieldNames, giftsOf, namingOf } from '../../support/gifts';
import { keptBoard, keptLedger, rawBoard } from '../../support/ledger';
import { mentions } from '../../support/mentions';
import { ownRedis } from '../../support/own-servers';
import { startTestPostgres } from '../../support/postgres';
import { freshPrefix } from '../../support/redis';

const dayMs = 86_400_000;
const givenMs = Date.parse('2036-02-03T12:00:00.000Z');
const given = Math.floor(givenMs / dayMs);
const kinds = ['day', 'month', 'year', 'all'] as const;
const boards = [...kinds.map((kind) => keptBoard(kind)), { ...keptBoard('all'), name: 'all.g.p', tallyOf: 'all' }];
/** 127 lie in the ledger, 256 with its totals in the first page, and the others below that one. */
const givers = 480;

const nameOf = (giver: number) => `giver-${String(giver).padStart(4, '0')}`;
const gift = (giver: number, change: Partial<Transition> = {}): Transition => ({
  ...{ kind: 'grant', member: 'star', field: ownerField('p', nameOf(giver), 'article:7'), points: 2 },
  ...{ occurredAtMs: givenMs + giver, names: [nameOf(giver)], namedAs: [nameOf(giver)] },
  boards: boards.map(({ name }) => name),
  ...change,
});

describe.each(['Redis', 'PostgreSQL'] as const)('a crowded day in the cold store in %s', (where) => {
  const own = ownRedis();
  const clock = new ManualClock(givenMs);
  let postgres: PostgresServer | undefined;
  let pool: Pool | undefined;
  let store: ColdLedgers;
  let ledger: Ledger;
  /** The same, all of it in Redis. */
  let whole: Ledger;

  beforeAll(async () => {
    if (where === 'Redis') return;
    postgres = await startTestPostgres();
    pool = new Pool({ connectionString: postgres.url });
  });
  afterAll(async () => {
    await pool?.end();
    await postgres?.stop();
  });
  beforeEach(async () => {
    clock.set(givenMs + dayMs / 4);
    const prefix = freshPrefix();
    store = pool ? new PostgresColdStores(pool).of(prefix) : new RedisColdLedgers(own.client, prefix);
    ledger = await instance(prefix);
    whole = keptLedger(own.client, { prefix: freshPrefix(), fieldNames, shards: 1, boards, clock });
    const gifts = Array.from({ length: givers }, (_, i) => gift(i));
    await both(gifts);
    await leave(100);
  });
  afterEach(async () => {
    for (const one of [ledger, whole]) one.close();
    await own.client.flushdb();
  });

  /** One that does not know yet which days have pages. */
  const instance = async (prefix: string): Promise<Ledger> => {
    const made = new Ledger(own.client, { prefix, fieldNames, shards: 2, boards, clock });
    made.keepCold({ store, retentionMs: null });
    await made.prepare();
    return made;
  };

  const both = async (transitions: readonly Transition[]) => {
    await whole.apply(transitions);
    return (await ledger.apply(transitions)).map(({ outcome, points }) => `${outcome} ${points}`);
  };

  const inRedis = async () => (await hotLedgers(own.client, ledger)).filter((key) => key.includes(':20360203:'));

  const leave = async (day: number) => {
    clock.set(givenMs + day * dayMs);
    await ledger.freeze();
    expect(await inRedis()).toEqual([]);
  };

  const stored = async () => {
    const [body] = await store.get([{ member: 'star', day: given }]);
    return thawed(body as Buffer);
  };

  const standings = (of: Ledger) =>
    Promise.all(
      boards.map(({ name, period }) => {
        const kind = period as (typeof kinds)[number];
        return rawBoard(own.client, of, name, Period.of(kind, new Date(givenMs), 'UTC'));
      }),
    );

  const verify = async (heals = false) => {
    const found: AuditDifference[] = [];
    const countsOn = (board: string) => (board.includes('.g.') ? ['owner:p:'] : null);
    const onDifference = (one: AuditDifference) => found.push(one);
    const { gaps } = await new LedgerAudit(own.client, ledger, { countsOn, heals, onDifference }).run();
    return [...found, ...gaps];
  };
  const expectTrue = async () => {
    expect(await standings(ledger)).toEqual(await standings(whole));
    expect(await verify()).toEqual([]);
  };

  const cancelled = (giver: number) => gift(giver, { kind: 'revoke', occurredAtMs: clock.now() });

  it('has all its pages there, and comes back with them for a cancel that names no day', async () => {
    const { fields, pages } = await stored();
    expect(fields).toHaveLength(127);
    expect(Object.keys(pages).length).toBeGreaterThan(2);
    await expectTrue();

    const { prefix } = ledger.settings;
    ledger.close();
    ledger = await instance(prefix);
    // In the ledger, in the first page, and below it; the last of them gave the boards their times.
    const cancels = [0, 200, givers - 1].map(cancelled);
    expect(await both(cancels)).toEqual(['revoked -2', 'revoked -2', 'revoked -2']);
    expect((await inRedis()).filter((key) => key.startsWith('ledger-page:'))).toHaveLength(Object.keys(pages).length);
    expect(await both(cancels)).toEqual(['duplicate 0', 'duplicate 0', 'duplicate 0']);
    await expectTrue();

    await leave(101);
    await expectTrue();
    expect(await both([cancelled(givers - 2), gift(5), gift(givers), cancelled(givers + 1)])).toEqual([
      'revoked -2',
      'duplicate 0',
      'granted 2',
      'notGranted 0',
    ]);
    await leave(102);
    await expectTrue();

    const lost = await own.client.keys(`{${prefix}:*}:board:*`);
    expect(lost).toHaveLength(boards.length);
    await own.client.del(...lost);
    expect(await verify(true)).toHaveLength(boards.length);
    await expectTrue();
    expect(await inRedis()).toEqual([]);
  });

  it('comes back for a void of one who gave, of all that was received, and of what was done to a subject', async () => {
    const voided = async (wanted: ReturnType<typeof giftsOf>) => {
      const taken: string[] = [];
      await ledger.named.each(wanted, async (grants) => {
        const revokes = grants.map(({ member, field, points, grantedAtMs }): Transition => ({
          ...{ kind: 'revoke', member, field, points, grantedAtMs, occurredAtMs: clock.now() },
          boards: boards.map(({ name }) => name),
        }));
        taken.push(...(await both(revokes)));
      });
      return taken;
    };
    for (const giver of [3, 210, givers - 1]) expect(await voided(giftsOf(nameOf(giver)))).toEqual(['revoked -2']);
    await expectTrue();
    await leave(101);
    await expectTrue();

    const received = await ledger.grants.since('star', givenMs);
    expect(received).toHaveLength(givers - 3);
    const some = received.slice(0, 100).map(({ field, points, grantedAtMs }): Transition => ({
      ...gift(0, { kind: 'revoke', occurredAtMs: clock.now() }),
      ...{ field, points, grantedAtMs },
    }));
    expect(new Set(await both(some))).toEqual(new Set(['revoked -2']));
    await expectTrue();
    await leave(102);
    await expectTrue();

    expect(await voided({ texts: null, ...doneTo('article:7') })).toHaveLength(givers - 103);
    await expectTrue();
    expect((await standings(ledger)).flat()).toEqual([]);
    await leave(103);
    await expectTrue();
  });

  it('names nobody who was erased, when it has left again', async () => {
    for (const giver of [3, 210, givers - 1]) {
      expect(await ledger.erasure.erase(nameOf(giver), namingOf(nameOf(giver)))).toMatchObject({ named: 1 });
    }
    await expectTrue();
    await leave(101);
    await expectTrue();
    const all = JSON.stringify(await stored());
    for (const giver of [3, 210, givers - 1]) {
      expect(all).not.toContain(nameOf(giver));
      expect(await mentions(own.client, ledger.settings.prefix, nameOf(giver))).toEqual([]);
    }
  });
});
