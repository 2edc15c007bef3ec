import { Ledger, LedgerAudit, type AuditDifference, Period, type Transition } from '@laurel/leaderboard';
import { startRedis, type RedisServer } from '@laurel/servers';
import { Redis } from 'ioredis';
import { fieldNames, ledgerField, ownerField } from '../../../libs/activity/src/rules/ledger-field';
import { keys } from '../../../libs/leaderboard/src/keys/keys';
import { ManualClock } from '../../support/clock';
import { keptBoard, rawBoard } from '../../support/ledger';
import { announceSeed, drawer } from '../../support/seed';

const dayMs = 86_400_000;
const firstDay = 24_400;
const now = (firstDay + 1) * dayMs + 43_200_000;
const days = [0, 1].map((n) => Period.of('day', new Date((firstDay + n) * dayMs), 'UTC'));
const received = 20_000;
const givers = (received * 2) / 3;

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

/** A ledger whose days have pages from one on; null: from none on, as data of the release before. */
const open = async (pagedFrom: number | null) => {
  runs += 1;
  const prefix = `paged${runs}`;
  const decided = pagedFrom === null ? { format: '2' } : { format: '3', pagedFrom: String(pagedFrom) };
  await redis.hset(keys.layout(prefix), { shards: '1', shortFrom: '0', ...decided });
  const boards = [
    keptBoard('day'),
    keptBoard('month'),
    { ...keptBoard('day'), name: 'day.g.p', tallyOf: 'day' },
  ] as const;
  const clock = new ManualClock(now);
  const ledger = new Ledger(redis, { prefix, fieldNames, boards, clock, ledgerRetentionMs: 30 * dayMs });
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
    const [whole, paged] = [await open(null), await open(firstDay)];
    const next = drawn();
    for (let done = 0; done < received * 1.3; done += 250) {
      const batch = Array.from({ length: 250 }, next);
      expect(await outcomes(paged, batch)).toEqual(await outcomes(whole, batch));
      // What is delivered again changes nothing.
      const again = batch.filter((_, i) => i % 5 === 0);
      expect(await outcomes(paged, again)).toEqual(await outcomes(whole, again));
    }
    const inOne = await hashes(whole.settings.prefix);
    expect(Math.max(...inOne.values())).toBeGreaterThan(received / 3);
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
  }, 180_000);
});
