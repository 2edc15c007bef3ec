import { Ledger, Period, Resharding, type Transition } from '@laurel/leaderboard';
import { differencesOf, rebuildBoards } from '../../support/differences';
import { keptBoard, rawBoard } from '../../support/ledger';
import { CountingRedis, dayMs, freshPrefix, ManualClock, mentions, testRedisUrl } from '../../support';
import { drawer } from '../../support/seed';

const now = 24_401 * dayMs + 43_200_000;
const day = Period.of('day', new Date(now), 'UTC');
const giftBoards = ['day', 'month', 'day.g.p'];
/** So many owners receive little each. */
const fans = Array.from({ length: 100 }, (_, n) => `fan-${n}`);

const redis = new CountingRedis(testRedisUrl());
afterAll(() => redis.quit());

const open = async () => {
  const tally = { ...keptBoard('day'), name: 'day.g.p', tallyOf: 'day' };
  const boards = [keptBoard('day'), keptBoard('month'), tally];
  const laws = {
    of: (name: string) => ({ once: 1, limits: [], boards: /^gift:.*p:/.test(name) ? giftBoards : ['day', 'month'] }),
  };
  const options = { prefix: freshPrefix(), shards: 1, boards, laws, ledgerRetentionMs: null };
  const ledger = new Ledger(redis, { ...options, clock: new ManualClock(now) });
  await ledger.prepare();
  return ledger;
};

/** What a giver does to something that is the owner's. */
const gift = (giver: number, subject: string, more: Partial<Transition> = {}): Transition => ({
  ...{ kind: 'grant', member: `giver-${giver}`, field: `p:${subject}`, points: 1, occurredAtMs: now },
  ...{ gift: { member: 'star', points: 2 }, ...more },
});

const apply = async (ledger: Ledger, all: readonly Transition[]) => {
  const outcomes: string[] = [];
  for (let from = 0; from < all.length; from += 500)
    for (const { outcome } of await ledger.apply(all.slice(from, from + 500))) outcomes.push(outcome);
  return outcomes;
};

const largestHash = async ({ settings: { prefix } }: Ledger) => {
  const sizes = (await redis.keys(`{${prefix}:*`)).map(async (key) =>
    (await redis.type(key)) === 'hash' ? redis.hlen(key) : 0,
  );
  return Math.max(...(await Promise.all(sizes)));
};

/** What owners have together. */
const told = async (ledger: Ledger, owners: readonly string[]) => {
  const plain = <T extends { field: string; grantedAtMs: number | null }>(all: readonly T[][]) =>
    all
      .flat()
      .map((one) => ({ ...one, field: one.field.replace('few', 'star') }))
      .sort((a, b) => (a.grantedAtMs ?? 0) - (b.grantedAtMs ?? 0) || (a.field < b.field ? -1 : 1));
  const days = [new Date(now - dayMs), new Date(now)].map((date) => Period.of('day', date, 'UTC'));
  const entries = giftBoards.map(async (board) => {
    const period = Period.of(board === 'month' ? 'month' : 'day', new Date(now), 'UTC');
    const own = (await rawBoard(redis, ledger, board, period)).filter(({ member }) => owners.includes(member));
    const score = own.reduce((sum, one) => sum + one.score, 0);
    return { board, score, reachedAtMs: Math.max(...own.map(({ reachedAtMs }) => reachedAtMs)) };
  });
  return {
    lines: plain(
      await Promise.all(owners.flatMap((owner) => days.map((period) => ledger.history.lines(owner, period)))),
    ),
    grants: plain(await Promise.all(owners.map((owner) => ledger.grants.since(owner, 0)))),
    entries: await Promise.all(entries),
  };
};

/** Grants received on the day, as fields and as what pages have together. */
const received = async (ledger: Ledger) => {
  const [{ fields, totals = [] } = { fields: [] }] = await ledger.history.days('star', day, day);
  const paged = totals.reduce((sum, { grants }) => sum + grants, 0);
  return { paged, all: paged + fields.filter(({ version }) => version !== null).length };
};

/** The same done to what is star's and to what many own, who receive little; and what star, or one of them, does. */
const drawn = () => {
  const draw = drawer();
  return (): Transition[] => {
    const [n, action, sort] = [draw(4_000), draw(4) === 0 ? 'k' : 'p', draw(20)];
    const occurredAtMs = now - draw(10_000_000) - (draw(8) === 0 ? dayMs : 0);
    const own = { kind: 'grant' as const, field: `v:${draw(40)}`, points: 1, occurredAtMs };
    if (sort === 19) return ['star', 'fan-0'].map((member) => ({ ...own, member }));
    const points = draw(10) === 0 ? 0 : 2;
    return ['star', fans[n % fans.length] as string].map((owner) =>
      gift(n, owner === 'star' ? 'star' : 'few', {
        ...{
          field: `${action}:${owner === 'star' ? 'star' : 'few'}`,
          occurredAtMs,
          kind: sort < 15 ? 'grant' : 'revoke',
        },
        ...{ gift: { member: owner, points } },
        ...(sort === 18 && { grantedAtMs: occurredAtMs }),
      }),
    );
  };
};

describe('an owner of whom much is received', () => {
  it('has hashes of 512 fields at most, and the lines, grants and entries of many who receive as much together', async () => {
    const ledger = await open();
    const next = drawn();
    for (let done = 0; done < 2_500; done += 250) {
      const batch = Array.from({ length: 250 }, next).flat();
      await apply(ledger, batch);
      // What is delivered again changes nothing.
      const again = await apply(ledger, batch.slice(0, 100));
      expect(new Set(again)).toEqual(new Set(['duplicate']));
    }
    const whole = await told(ledger, fans);
    expect(whole.lines.length).toBeGreaterThan(1_500);
    expect(await told(ledger, ['star'])).toEqual(whole);
    expect(await largestHash(ledger)).toBeLessThanOrEqual(512);
    expect(await differencesOf(redis, ledger)).toEqual([]);
    await rebuildBoards(redis, ledger);
    expect(await told(ledger, ['star'])).toEqual(whole);
    ledger.close();
  });

  it('has hashes of 512 fields at most when more is received in a day, and a sum of them all', async () => {
    const ledger = await open();
    await apply(
      ledger,
      Array.from({ length: 24_000 }, (_, n) => gift(n % 400, `article:${n}`)),
    );
    expect(await largestHash(ledger)).toBeLessThanOrEqual(512);
    expect((await received(ledger)).all).toBe(24_000);
    expect((await told(ledger, ['star'])).entries).toMatchObject([
      { score: 48_000 },
      { score: 48_000 },
      { score: 24_000 },
    ]);
    expect(await differencesOf(redis, ledger)).toEqual([]);
    ledger.close();
  });

  it('is found by who gave, and goes as a whole, on other shards too', async () => {
    const ledger = await open();
    const { prefix } = ledger.settings;
    const given = Array.from({ length: 4_000 }, (_, n) => gift(n % 400, `article:${n}`));
    await apply(ledger, given);
    await apply(
      ledger,
      given.slice(0, 300).map((one) => ({ ...one, kind: 'revoke', occurredAtMs: now + 1 })),
    );
    expect((await received(ledger)).all).toBe(3_700);
    expect((await received(ledger)).paged).toBeGreaterThan(3_000);

    const before = await told(ledger, ['star']);
    for (const giver of ['giver-399', 'giver-299']) {
      expect(await ledger.erasure.erase(giver)).toMatchObject({ named: 10 });
      expect(await mentions(redis, prefix, giver)).toEqual([]);
    }
    const after = await told(ledger, ['star']);
    expect(after.entries).toEqual(before.entries);
    expect(after.lines).toHaveLength(3_700);
    expect(await differencesOf(redis, ledger)).toEqual([]);

    await new Resharding(redis, { prefix, shards: 3, graceMs: 0 }).run();
    await ledger.syncShards();
    expect(await told(ledger, ['star'])).toEqual(after);
    expect(await differencesOf(redis, ledger)).toEqual([]);
    const again = await apply(ledger, given.slice(300, 390));
    expect(new Set(again)).toEqual(new Set(['duplicate']));

    await ledger.erasure.erase('star');
    expect(await mentions(redis, prefix, 'star')).toEqual([]);
    expect((await redis.keys(`{${prefix}:*`)).filter((key) => /:(page|crowd):/.test(key))).toEqual([]);
    ledger.close();
  });

  it('has reached its points when the latest began that stands, whatever ends, which is found in a few pages', async () => {
    const [ledger, crowd] = [await open(), 3_000];
    const since = new Map(Array.from({ length: crowd }, (_, n) => [n, now - 10_000_000 + n * 1_000]));
    const praise = (giver: number, occurredAtMs: number, kind: 'grant' | 'revoke' = 'grant') =>
      gift(giver, 'article:7', { kind, occurredAtMs });
    const expectLatest = async () => {
      const [star] = (await rawBoard(redis, ledger, 'day.g.p', day)).filter(({ member }) => member === 'star');
      expect(star).toEqual({ member: 'star', score: since.size, reachedAtMs: Math.max(...since.values()) });
    };
    await apply(
      ledger,
      [...since].map(([giver, ms]) => praise(giver, ms)),
    );
    // Repeats come later, and change nothing.
    await apply(
      ledger,
      [...since.keys()].map((giver) => praise(giver, now - 1_000)),
    );
    await expectLatest();
    redis.names.length = 0;
    for (let giver = crowd - 1; giver >= crowd - 40; giver--) {
      await ledger.apply([praise(giver, now, 'revoke')]);
      since.delete(giver);
      await expectLatest();
    }
    // Of each the giver's days, and of the owner's the ledger, what tells of its pages, and two or three of these.
    expect(redis.names.filter((name) => name === 'HGETALL').length).toBeLessThanOrEqual(40 * 18);
    const last = [...since.keys()].sort((a, b) => (since.get(b) ?? 0) - (since.get(a) ?? 0)).slice(0, 64);
    await ledger.apply(last.map((giver) => praise(giver, now + 100, 'revoke')));
    for (const giver of last) since.delete(giver);
    await expectLatest();
    ledger.close();
  });
});
