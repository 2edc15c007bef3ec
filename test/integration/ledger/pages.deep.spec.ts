import { ownerField, receivedIn } from '@laurel/activity/internals';
import { type AuditDifference, Ledger, LedgerAudit, Period, Resharding, type Transition } from '@laurel/leaderboard';
import { type RedisServer, startRedis } from '@laurel/servers';
import { Redis } from 'ioredis';
import { ManualClock } from '../../support/clock';
import { fieldNames, giftsOf, ledgerField, namingOf } from '../../support/gifts';
import { keys } from '../../support/keys';
import { keptBoard, rawBoard } from '../../support/ledger';
import { mentions } from '../../support/mentions';
import { announceSeed, drawer } from '../../support/seed';

const dayMs = 86_400_000;
const firstDay = 24_400;
const now = (firstDay + 1) * dayMs + 43_200_000;
const days = [0, 1].map((n) => Period.of('day', new Date((firstDay + n) * dayMs), 'UTC'));
const givers = 4_000;

const plainBoards = ['day', 'month'];
const talliedBoards = [...plainBoards, 'day.g.p'];

let server: RedisServer;
let redis: Redis;
let runs = 0;

beforeAll(async () => {
  announceSeed();
  server = await startRedis();
  redis = new Redis(server.url);
});
afterAll(async () => {
  await redis.quit();
  await server.stop();
});

/** A ledger whose days have pages, or one that keeps all of a day in one hash. */
const open = async (names = fieldNames) => {
  runs += 1;
  const prefix = `paged${runs}`;
  const boards = [
    keptBoard('day'),
    keptBoard('month'),
    { ...keptBoard('day'), name: 'day.g.p', tallyOf: 'day' },
  ] as const;
  const clock = new ManualClock(now);
  const ledger = new Ledger(redis, { prefix, fieldNames: names, boards, clock, ledgerRetentionMs: 30 * dayMs });
  await ledger.prepare();
  return ledger;
};

const audit = async (ledger: Ledger, heals = false) => {
  const found: AuditDifference[] = [];
  const onDifference = (difference: AuditDifference) => found.push(difference);
  const countsOn = (board: string) => (board.includes('.g.') ? ['owner:p:'] : null);
  await new LedgerAudit(redis, ledger, { countsOn, heals, onDifference }).run();
  return found;
};

/** All hashes of a ledger's data with how many fields they have. */
const hashes = async (prefix: string) => {
  const found = await redis.keys(`{${prefix}:*`);
  const sizes = await Promise.all(
    found.map(async (key) => [key, (await redis.type(key)) === 'hash' ? await redis.hlen(key) : 0] as const),
  );
  return new Map(sizes.filter(([, size]) => size > 0));
};

/** What anybody can read of a ledger. */
const told = async (ledger: Ledger) => {
  const boards = ['day', 'month'] as const;
  return {
    lines: await Promise.all(days.map((day) => ledger.history.lines('star', day))),
    grants: (await ledger.grants.since('star', 0)).sort((a, b) => (a.field < b.field ? -1 : 1)),
    standings: await Promise.all(
      boards.map((name) => rawBoard(redis, ledger, name, Period.of(name, new Date(now), 'UTC'))),
    ),
    tally: await rawBoard(redis, ledger, 'day.g.p', days[1] as Period),
  };
};

/** Entries are gone, and totals of a first, a middle and a last page say something else. */
const spoil = async ({ settings: { prefix, tags } }: Ledger) => {
  const tag = tags[0] ?? '';
  const pages = (await redis.keys(`{${prefix}:*}:ledger-page:*`)).sort((a, b) => a.length - b.length);
  for (const page of [pages[0], pages[3], pages.at(-1)]) {
    const [total = ''] = (await redis.hkeys(page ?? '')).filter((field) => field.startsWith('=1owner:'));
    await redis.hincrby(page ?? '', total, 5);
    await redis.hset(page ?? '', '+1owner:k:', '7');
  }
  for (const [i, board] of ['day', 'month'].entries()) {
    const period = Period.of(board as 'day', new Date(now), 'UTC').key;
    await redis.zrem(keys.board(prefix, tag, board, period), i === 0 ? 'star' : 'nobody');
  }
};

/** Scores are those of the moment, and the first call that meets pages judges what lies in them last. */
const outcomes = async (ledger: Ledger, batch: readonly Transition[]) =>
  (await ledger.apply(batch)).map(({ outcome, points }) => ({ outcome, points }));

/** What is done to an owner of whom much is received, and some of their own doing. */
const drawn = () => {
  const draw = drawer();
  return (): Transition => {
    const giver = `giver-${draw(givers)}`;
    const sort = draw(20);
    const own = sort === 19;
    const late = draw(8) === 0;
    const action = draw(4) === 0 ? 'k' : 'p';
    const occurredAtMs = now - draw(10_000_000) - (late ? dayMs : 0);
    return {
      kind: sort < 15 || own ? 'grant' : 'revoke',
      member: 'star',
      field: own ? ledgerField('v', `/articles/${draw(40)}`) : ownerField(action, giver, 'article:7'),
      points: own ? 1 : draw(10) === 0 ? 0 : 2,
      occurredAtMs,
      boards: own || action === 'k' ? plainBoards : talliedBoards,
      ...(!own && { names: [giver], namedAs: [giver] }),
      ...(sort === 18 && { grantedAtMs: occurredAtMs }),
      ...(sort === 0 && { version: 3 }),
    };
  };
};

describe('an owner of whom much is received', () => {
  it('has hashes of 512 fields at most, and the same answers, lines and boards as in one hash', async () => {
    const [whole, paged] = [await open({ ...fieldNames, isPaged: () => false }), await open()];
    const next = drawn();
    for (let done = 0; done < 8_000; done += 250) {
      const batch = Array.from({ length: 250 }, next);
      expect(await outcomes(paged, batch)).toEqual(await outcomes(whole, batch));
      // What is delivered again changes nothing.
      const again = batch.filter((_, i) => i % 5 === 0);
      expect(await outcomes(paged, again)).toEqual(await outcomes(whole, again));
    }
    const inOne = await hashes(whole.settings.prefix);
    expect(Math.max(...inOne.values())).toBeGreaterThan(2_000);
    const sizes = await hashes(paged.settings.prefix);
    expect(Math.max(...sizes.values())).toBeLessThanOrEqual(512);
    expect(await told(paged)).toEqual(await told(whole));
    expect(await audit(paged)).toEqual([]);
    expect(await audit(whole)).toEqual([]);
    await spoil(paged);
    const found = await audit(paged, true);
    expect(found.filter(({ isHealed }) => !isHealed)).toEqual([]);
    expect(new Set(found.map(({ fault }) => fault))).toEqual(new Set(['page', 'points']));
    expect(await audit(paged)).toEqual([]);
    expect((await told(paged)).standings.flat().map(({ score }) => score)).toEqual(
      (await told(whole)).standings.flat().map(({ score }) => score),
    );
    for (const ledger of [whole, paged]) ledger.close();
  });

  it('has hashes of 512 fields at most when more is received in a day, and a sum of them all', async () => {
    const received = 24_000;
    const ledger = await open();
    for (let from = 0; from < received; from += 500) {
      await ledger.apply(
        Array.from({ length: 500 }, (_, i): Transition => {
          const field = ownerField('p', `giver-${from + i}`, 'article:7');
          return { kind: 'grant', member: 'star', boards: talliedBoards, field, points: 1, occurredAtMs: now + from };
        }),
      );
    }
    const sizes = await hashes(ledger.settings.prefix);
    expect(Math.max(...sizes.values())).toBeLessThanOrEqual(512);
    const day = days[1] as Period;
    const [summed] = await ledger.history.days('star', day, day);
    expect(receivedIn(summed ? [summed] : [], { actionOfCode: (code) => code })).toEqual({ p: received });
    expect(await rawBoard(redis, ledger, 'day', day)).toMatchObject([{ member: 'star', score: received }]);
    expect(await audit(ledger)).toEqual([]);
    ledger.close();
  });

  it('is found by who gave, and goes as a whole: page by page, in the lists of keys and on other shards', async () => {
    const ledger = await open();
    const { prefix, tags } = ledger.settings;
    const given = Array.from({ length: 4_000 }, (_, i): Transition => {
      const giver = `giver-${String(i).padStart(4, '0')}`;
      const field = ownerField('p', giver, 'article:7');
      return {
        kind: 'grant',
        member: 'star',
        boards: talliedBoards,
        field,
        points: 1,
        names: [giver],
        namedAs: [giver],
        occurredAtMs: now,
      };
    });
    for (const some of [given, given.slice(0, 50)]) await ledger.apply(some);
    for (const revoked of given.slice(0, 300))
      await ledger.apply([{ ...revoked, kind: 'revoke', occurredAtMs: now + 1 }]);
    const named = async (giver: string) => {
      const lists = await redis.keys(`{${prefix}:*}:naming:${giver}`);
      return (await Promise.all(lists.map((list) => redis.zrange(list, '0', '-1')))).flat();
    };
    const last = await named('giver-3999');
    expect(last).toEqual([expect.stringMatching(/^ledger-page:20361022:[0-9a-f]+:star$/)]);
    expect((await named('giver-0299')).map((name) => name.replace(/:.*/, '')).sort()).toEqual([
      'ledger-page',
      'revokes-page',
    ]);
    const sizes = await hashes(prefix);
    expect(Math.max(...sizes.values())).toBeLessThanOrEqual(512);

    const day = days[1] as Period;
    const summed = await ledger.history.days('star', day, day);
    expect(receivedIn(summed, { actionOfCode: (code) => code })).toEqual({ p: 3_700 });
    const inLedger = summed[0]?.fields.filter(({ version }) => version !== null).length ?? 0;
    const paged = 3_700 - inLedger;
    expect(summed[0]?.totals).toEqual([{ beginning: 'owner:p:', version: 1, grants: paged, points: paged }]);

    const found: string[] = [];
    await ledger.named.each(giftsOf('giver-3999'), (grants) => {
      found.push(...grants.map(({ member, field }) => `${member} ${field}`));
      return Promise.resolve();
    });
    expect(found).toEqual([`star ${ownerField('p', 'giver-3999', 'article:7')}`]);
    const before = await told(ledger);
    expect(await ledger.erasure.erase('giver-3999', namingOf('giver-3999'))).toMatchObject({ named: 1 });
    expect(await ledger.erasure.erase('giver-0299', namingOf('giver-0299'))).toMatchObject({ named: 2 });
    expect((await mentions(redis, prefix, 'giver-3999')).concat(await mentions(redis, prefix, 'giver-0299'))).toEqual(
      [],
    );
    const after = await told(ledger);
    expect(after.standings).toEqual(before.standings);
    expect(after.lines[1]).toHaveLength(4_000);
    expect(await audit(ledger)).toEqual([]);

    await new Resharding(redis, { prefix, shards: 3, graceMs: 0 }).run();
    await ledger.syncShards();
    expect(await told(ledger)).toEqual(after);
    expect(await audit(ledger)).toEqual([]);
    expect(await outcomes(ledger, given.slice(300, 900))).toEqual(
      Array.from({ length: 600 }, () => ({ outcome: 'duplicate', points: 0 })),
    );

    await ledger.erasure.erase('star', namingOf('star'));
    const left = (await redis.keys(`{${prefix}:*`)).filter((key) => /star|naming|-page/.test(key));
    expect(left).toEqual([]);
    expect(tags).not.toEqual(ledger.settings.tags);
    ledger.close();
  });

  it('is judged by its own limits, and in order, by who does not know its pages yet', async () => {
    const first = await open();
    const gift = (giver: number, more: Partial<Transition> = {}): Transition => ({
      ...{ kind: 'grant', member: 'star', field: ownerField('p', `giver-${giver}`, 'article:7'), points: 2 },
      ...{ occurredAtMs: now, boards: plainBoards, names: [`giver-${giver}`], namedAs: [`giver-${giver}`], ...more },
    });
    const daily = (max: number) =>
      ({ type: 'daily', name: `most-${max}`, max, count: { of: 'grants', fieldPrefixes: ['v:'] } }) as const;
    const sliding = { type: 'sliding', name: 'slow', max: 3, windowMs: 1_000, per: 'member' } as const;
    await first.apply(Array.from({ length: 300 }, (_, i) => gift(i)));
    const { prefix } = first.settings;
    const clock = new ManualClock(now);
    const boards = [keptBoard('day'), keptBoard('month'), { ...keptBoard('day'), name: 'day.g.p', tallyOf: 'day' }];
    const other = new Ledger(redis, { prefix, fieldNames, boards, clock, ledgerRetentionMs: 30 * dayMs });
    const view = { kind: 'grant', member: 'bob', points: 1, occurredAtMs: now, boards: plainBoards } as const;
    const results = await other.apply([
      gift(1_000, { limits: [sliding] }),
      { ...view, field: 'v:1', limits: [daily(1)] },
      { ...view, field: 'v:2', limits: [daily(1)] },
      gift(1_000, { kind: 'revoke', occurredAtMs: now + 1 }),
      gift(1_000, { occurredAtMs: now + 2, limits: [sliding] }),
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['granted', 'granted', 'limited', 'revoked', 'granted']);
    for (const ledger of [first, other]) ledger.close();
  });
});

describe('the time of an owner of whom much is received', () => {
  const now = 24_401 * dayMs + 43_200_000;
  const day = Period.of('day', new Date(now), 'UTC');
  const crowd = 3_000;

  const praise = (giver: number, occurredAtMs: number, kind: Transition['kind'] = 'grant'): Transition => ({
    ...{ kind, member: 'star', field: ownerField('p', `giver-${giver}`, 'article:7'), points: 2 },
    ...{ occurredAtMs, boards: ['day', 'month'] },
  });

  /** A crowded day: the time at which each praise came to stand, with each of them repeated later. */
  const openCrowded = async (prefix: string) => {
    const boards = [keptBoard('day'), keptBoard('month')];
    const ledger = new Ledger(redis, { prefix, fieldNames, boards, clock: new ManualClock(now) });
    await ledger.prepare();
    const since = new Map(Array.from({ length: crowd }, (_, n) => [n, now - 10_000_000 + n * 1_000]));
    const all = [...since];
    for (let from = 0; from < crowd; from += 500) {
      const some = all.slice(from, from + 500);
      await ledger.apply(some.map(([n, ms]) => praise(n, ms)));
      await ledger.apply(some.map(([n]) => praise(n, now - 1_000)));
    }
    return { ledger, since };
  };

  /** What Redis counted of a command since its figures were set back. */
  const calls = async (command: string) => {
    const stats = await redis.info('commandstats');
    return Number(new RegExp(`^cmdstat_${command}:calls=(\\d+)`, 'm').exec(stats)?.[1] ?? 0);
  };

  it('is that of the latest which stands, whatever ends, and is found in a few pages', async () => {
    const { ledger, since } = await openCrowded('latest');
    const draw = drawer();
    const expectLatest = async () => {
      const latest = Math.max(...since.values());
      const expected = [{ member: 'star', score: 2 * since.size, reachedAtMs: latest }];
      expect(await rawBoard(redis, ledger, 'day', day)).toEqual(expected);
    };
    await expectLatest();
    await redis.config('RESETSTAT');
    for (let n = crowd - 1; n >= crowd - 40; n--) {
      await ledger.apply([praise(n, now, 'revoke')]);
      since.delete(n);
      await expectLatest();
    }
    // Of each revoke: the ledger for each of the two boards, the first page, and those on the way to the latest.
    expect(await calls('hgetall')).toBeLessThanOrEqual(40 * 8);
    for (let step = 0; step < 60; step++) {
      const giver = draw(crowd);
      const kind = draw(3) === 0 && !since.has(giver) ? 'grant' : 'revoke';
      const at = now + 1 + step;
      await ledger.apply([praise(giver, at, kind)]);
      if (kind === 'grant') since.set(giver, at);
      else since.delete(giver);
      await expectLatest();
    }
    ledger.close();
  });

  it('is looked for in calls of a few revokes, so that none holds up Redis', async () => {
    const { ledger, since } = await openCrowded('many');
    await redis.config('RESETSTAT');
    const last = Array.from({ length: 64 }, (_, n) => crowd - 1 - n);
    const results = await ledger.apply(last.map((n) => praise(n, now, 'revoke')));
    expect(results.map(({ outcome }) => outcome)).toEqual(last.map(() => 'revoked'));
    expect(await calls('evalsha')).toBeGreaterThanOrEqual(32);
    const left = { member: 'star', score: 2 * (crowd - 64), reachedAtMs: since.get(crowd - 65) };
    expect(await rawBoard(redis, ledger, 'day', day)).toEqual([left]);
    ledger.close();
  });
});
