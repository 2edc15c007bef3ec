import { LedgerAudit, readStoredSettings, type Ledger, type LedgerOptions } from '@laurel/leaderboard';
import { keys } from '../../support/keys';
import { keptBoard, keptLedger } from '../../support/ledger';
import { closeTestRedis, countingRedis, freshPrefix, testRedis } from '../../support/redis';

const redis = testRedis();
afterAll(closeTestRedis);

const noon = Date.UTC(2026, 10, 20, 12);
const clock = { now: () => noon };
const day = keptBoard('day');
const month = keptBoard('month');

let prefix: string;
beforeEach(() => (prefix = freshPrefix()));

const open = (options: Partial<LedgerOptions> = {}): Ledger =>
  keptLedger(redis, { prefix, clock, boards: [day, month], ...options });

const grant = (ledger: Ledger, member = 'ann'): Promise<unknown> =>
  ledger.apply([{ kind: 'grant', member, field: 'p:1', points: 100, occurredAtMs: noon }]);

/** A ledger with points on its boards. */
async function written(options: Partial<LedgerOptions> = {}): Promise<Ledger> {
  const ledger = open(options);
  await ledger.prepare();
  await grant(ledger);
  return ledger;
}

/** What the version before this one leaves under the prefix: its boards, and no word of how they were made. */
async function writtenByVersionBefore(options: Partial<LedgerOptions> = {}): Promise<void> {
  await written(options);
  const fields = Object.keys(await redis.hgetall(keys.layout(prefix)));
  await redis.hdel(keys.layout(prefix), ...fields.filter((field) => field !== 'shards' && field !== 'format'));
}

const refused = (options: Partial<LedgerOptions>): Promise<unknown> =>
  open(options)
    .prepare()
    .then(
      () => 'was taken',
      (error: unknown) => error,
    );

const settingsMismatch = (...parts: readonly RegExp[]): unknown =>
  expect.objectContaining({
    code: 'settingsMismatch',
    message: expect.stringMatching(new RegExp(parts.map(({ source }) => source).join('.*'), 's')) as unknown,
  });

describe('what a ledger is made with', () => {
  it('stands in Redis with the first of its data, for any reader', async () => {
    await written({ timezone: 'Europe/Berlin', shards: 2, terms: 'praise 2', about: 'what the app says' });
    expect(await readStoredSettings(redis, prefix)).toEqual({
      shards: 2,
      timezone: 'Europe/Berlin',
      maxPoints: 1_000_000,
      boards: [day, month].map((board) => ({ ...board, partition: null, tallyOf: null, counts: null })),
      terms: { version: 1, since: new Date(noon), text: 'praise 2' },
      about: 'what the app says',
      coldStore: null,
    });
  });

  it('is nothing where nothing was ever written', async () => {
    expect(await readStoredSettings(redis, prefix)).toBeNull();
  });

  it('is compared in one round trip: a start that finds it there writes nothing', async () => {
    await written();
    const counting = await countingRedis();
    const ledger = keptLedger(counting, { prefix, clock, boards: [day, month] });
    expect(await counting.during(() => ledger.prepare())).toEqual(['hgetall', 'script', 'script']);
  });

  it('is refused in another time zone, with both and what to do', async () => {
    await written({ timezone: 'Europe/Berlin' });
    expect(await refused({ timezone: 'UTC' })).toEqual(
      settingsMismatch(
        /timezone "Europe\/Berlin"/,
        /timezone "UTC" is configured/,
        /configure timezone "Europe\/Berlin"/,
      ),
    );
    expect(await refused({ timezone: 'Europe/Berlin' })).toBe('was taken');
  });

  it('is the same in a zone by another of its names', async () => {
    await written({ timezone: 'Asia/Kolkata' });
    expect(await refused({ timezone: 'Asia/Calcutta' })).toBe('was taken');
  });

  it('is refused with room for other points, where scores would be read as others', async () => {
    await written();
    expect(await refused({ maxPoints: 4_000_000 })).toEqual(
      settingsMismatch(/maxPoints 1000000/, /maxPoints 4000000 is configured/, /configure maxPoints 1000000/),
    );
    expect(await refused({ maxPoints: 1_048_575 })).toBe('was taken');
  });

  it('is refused where a board is cut otherwise, has parts, or counts something else', async () => {
    await written({ boards: [{ ...day, counts: 'praise' }, month] });
    const other = (change: object): Promise<unknown> =>
      refused({ boards: [{ ...day, counts: 'praise', ...change }, month] });
    expect(await other({ period: 'week' })).toEqual(
      settingsMismatch(/board "day" with period "day"/, /period "week" is configured/, /another name/),
    );
    expect(await other({ partition: 'category' })).toEqual(settingsMismatch(/partition null/, /partition "category"/));
    expect(await other({ counts: 'comment' })).toEqual(
      settingsMismatch(/counts "praise"/, /counts "comment"/, /another name, or name the board in acceptChanges/),
    );
    expect(await other({})).toBe('was taken');
  });

  it('is taken where what counts on a board changes on purpose', async () => {
    const counting = (counts: string): LedgerOptions['boards'] => [{ ...day, counts }];
    await written({ boards: counting('praise') });
    await open({ boards: counting('comment'), acceptChanges: ['day'] }).prepare();
    expect((await readStoredSettings(redis, prefix))?.boards[0]?.counts).toBe('comment');
    expect(await refused({ boards: counting('comment') })).toBe('was taken');
  });

  it('may change as long as nothing was written, and who was there before hears of it', async () => {
    const before = open({ timezone: 'UTC' });
    await before.prepare();
    expect(await refused({ timezone: 'Europe/Berlin' })).toBe('was taken');
    await expect(before.syncShards()).rejects.toMatchObject({ code: 'settingsMismatch' });
  });

  it('takes a board more and a board less, and remembers one that comes back', async () => {
    await written({ boards: [day] });
    await open({ boards: [day, month] }).prepare();
    expect((await readStoredSettings(redis, prefix))?.boards.map(({ name }) => name)).toEqual(['day', 'month']);
    await open({ boards: [month] }).prepare();
    expect((await readStoredSettings(redis, prefix))?.boards.map(({ name }) => name)).toEqual(['month']);
    expect(await refused({ boards: [{ ...day, period: 'week' }] })).toEqual(settingsMismatch(/period "day"/));
  });

  it('takes another retention and lateness: they say when a board ends, not what it means', async () => {
    await written();
    await open({ boards: [{ ...day, latenessMs: 5, retentionMs: 7 }] }).prepare();
    expect((await readStoredSettings(redis, prefix))?.boards).toMatchObject([{ latenessMs: 5, retentionMs: 7 }]);
  });

  it('is what one of several has stored that start at once: the others are refused', async () => {
    const zones = ['UTC', 'Europe/Berlin', 'Asia/Shanghai', 'America/New_York'];
    const ledgers = zones.map((timezone) => open({ timezone }));
    await Promise.allSettled(ledgers.map((ledger) => ledger.prepare()));
    await Promise.allSettled(ledgers.map((ledger) => ledger.syncShards()));
    const stored = await readStoredSettings(redis, prefix);
    const checks = await Promise.allSettled(ledgers.map((ledger) => ledger.syncShards()));
    expect(checks.map(({ status }) => status)).toEqual(
      zones.map((zone) => (zone === stored?.timezone ? 'fulfilled' : 'rejected')),
    );
  });
});

describe('data of the version before, which does not say how it was made', () => {
  it('is taken by the first that comes in its time zone, and says it from then on', async () => {
    await writtenByVersionBefore({ timezone: 'Europe/Berlin' });
    expect(await readStoredSettings(redis, prefix)).toMatchObject({ timezone: null, boards: [], about: null });
    expect(await refused({ timezone: 'Europe/Berlin' })).toBe('was taken');
    expect(await readStoredSettings(redis, prefix)).toMatchObject({ timezone: 'Europe/Berlin', maxPoints: 1_000_000 });
  });

  it('is refused in another time zone: its days begin at another moment', async () => {
    await writtenByVersionBefore({ timezone: 'Europe/Berlin' });
    expect(await refused({ timezone: 'UTC' })).toEqual(
      settingsMismatch(/day 2026-11-20 begins at 2026-11-19T23:00/, /2026-11-20T00:00:00.000Z in "UTC"/),
    );
    expect((await redis.hkeys(keys.layout(prefix))).sort()).toEqual(['format', 'shards']);
  });
});

describe('a ledger that only reads', () => {
  const reading = (options: Partial<LedgerOptions> = {}): Promise<unknown> =>
    open(options)
      .prepare({ stores: false })
      .then(
        () => 'was taken',
        (error: unknown) => error,
      );

  it('leaves an empty prefix empty, whose shards are then for the app to choose', async () => {
    expect(await reading({ terms: 'praise 2', keepsFirstDays: true })).toBe('was taken');
    expect(await redis.keys(`*${prefix}*`)).toEqual([]);
    expect(await refused({ shards: 4 })).toBe('was taken');
  });

  it('leaves data of the version before as it is', async () => {
    await writtenByVersionBefore();
    expect(await reading()).toBe('was taken');
    expect((await redis.hkeys(keys.layout(prefix))).sort()).toEqual(['format', 'shards']);
  });

  it('is refused with a board that the app does not have, naming those that it has', async () => {
    await written();
    expect(await reading({ boards: [day, keptBoard('week')] })).toEqual(
      settingsMismatch(/the boards day, month, but "week" is configured/, /boards of the app/),
    );
    expect(await reading({ boards: [month] })).toBe('was taken');
    expect(await reading({ timezone: 'Asia/Shanghai' })).toEqual(settingsMismatch(/timezone "UTC"/));
  });

  it('verifies what the app has written, made from what stands in Redis', async () => {
    await written({ timezone: 'Asia/Shanghai', shards: 4 });
    const stored = await readStoredSettings(redis, prefix);
    const ledger = keptLedger(redis, { prefix, clock, timezone: stored?.timezone ?? '', boards: stored?.boards ?? [] });
    await ledger.prepare({ stores: false });
    expect(ledger.shards).toBe(4);
    const summary = await new LedgerAudit(redis, ledger, { countsOn: () => null }).run();
    expect(summary).toMatchObject({ ledgers: 1, differences: 0 });
  });
});

describe('a ledger whose number of shards is not configured', () => {
  it('takes that of the data', async () => {
    const first = open({ shards: 3 });
    await first.prepare();
    await grant(first);
    const next = open();
    await next.prepare();
    expect(next.shards).toBe(3);
    expect(await next.board('day', next.periods.of('day')).score('ann')).toBe(100);
    expect(await refused({ shards: 1 })).toMatchObject({ code: 'shardCountMismatch' });
  });
});
