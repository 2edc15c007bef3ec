import { type Ledger, LedgerAudit, type LedgerOptions, Period, readStoredSettings } from '@laurel/leaderboard';
import { keys } from '../../support/keys';
import type { LawfulTransition } from '../../support/lawful-ledger';
import { keptBoard, keptLedger } from '../../support/ledger';
import { dailyGrants } from '../../support/limits';
import { countingRedis, freshPrefix, ManualClock, testRedis } from '../../support';

const redis = testRedis();

describe('stored settings', () => {
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

  const refused = (options: Partial<LedgerOptions>, how?: { readonly stores: boolean }): Promise<unknown> =>
    open(options)
      .prepare(how)
      .then(
        () => 'was taken',
        (error: unknown) => error,
      );

  const settingsMismatch = (...parts: readonly RegExp[]): unknown =>
    expect.objectContaining({
      code: 'settingsMismatch',
      message: expect.stringMatching(new RegExp(parts.map(({ source }) => source).join('.*'), 's')) as unknown,
    });

  it('may have other boards while calls are under way: each is answered by those by which it was judged', async () => {
    const ledger = await written();
    const calls = Array.from({ length: 40 }, async (_, i) => {
      const about = { member: `m${i % 4}`, field: `p:${i}`, points: 1, occurredAtMs: noon };
      await ledger.apply([{ kind: 'grant', ...about }]);
      return (await ledger.apply([{ kind: 'revoke', ...about }]))[0]?.outcome;
    });
    let isDone = false;
    const all = Promise.all(calls).finally(() => (isDone = true));
    for (let i = 0; !isDone; i += 1) {
      ledger.feedAlso(i % 2 === 0 ? [keptBoard('week')] : []);
      await new Promise(setImmediate);
    }
    expect(new Set(await all)).toEqual(new Set(['revoked']));
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
      });
    });

    it('is nothing where nothing was ever written', async () => {
      expect(await readStoredSettings(redis, prefix)).toBeNull();
    });

    it('is compared in one round trip: a start that finds it there writes nothing', async () => {
      await written();
      const counting = await countingRedis();
      const ledger = keptLedger(counting, { prefix, clock, boards: [day, month] });
      expect(await counting.during(() => ledger.prepare())).toEqual(['hgetall', 'script', 'script', 'script']);
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
      expect(await other({ partition: 'category' })).toEqual(
        settingsMismatch(/partition null/, /partition "category"/),
      );
      expect(await other({ counts: 'comment' })).toEqual(
        settingsMismatch(/counts "praise"/, /counts "comment"/, /another name, or name the board in acceptChanges/),
      );
      expect(await other({})).toBe('was taken');
    });

    it('takes seasons behind the last, and the copy before that does not know them; no other days', async () => {
      const starting = (...starts: string[]) => ({ boards: [{ ...day, period: { kind: 'season' as const, starts } }] });
      const [first, second, third] = ['2026-11-01', '2026-12-01', '2027-02-01'] as const;
      await written(starting(first, second));
      expect(await refused(starting(first, '2026-12-02'))).toEqual(settingsMismatch(/"2026-12-02"/, /another name/));
      for (const days of [
        [first, second, third],
        [first, second],
      ])
        expect(await refused(starting(...days))).toBe('was taken');
    });

    it('is taken where what counts on a board changes on purpose', async () => {
      const counting = (counts: string): LedgerOptions['boards'] => [{ ...day, counts }];
      await written({ boards: counting('praise') });
      await open({ boards: counting('comment'), acceptChanges: ['day'] }).prepare();
      expect((await readStoredSettings(redis, prefix))?.boards[0]?.counts).toBe('comment');
      expect(await refused({ boards: counting('comment') })).toBe('was taken');
    });

    it('is refused in another format, by the number of both, and nothing is changed', async () => {
      await written();
      await redis.hset(keys.layout(prefix), 'format', '2');
      const before = await redis.hgetall(keys.layout(prefix));
      for (const boards of [[day], [day, month]]) {
        expect(await refused({ boards })).toMatchObject({
          code: 'formatMismatch',
          message: expect.stringMatching(
            /is of format 2, this version's is 1: run the version that wrote it/,
          ) as unknown,
        });
      }
      expect(await redis.hgetall(keys.layout(prefix))).toEqual(before);
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

  describe('a ledger that only reads', () => {
    const reading = (options: Partial<LedgerOptions>) => refused(options, { stores: false });

    it('leaves an empty prefix empty, whose shards are then for the app to choose', async () => {
      expect(await reading({ terms: 'praise 2', keepsFirstDays: true })).toBe('was taken');
      expect(await redis.keys(`*${prefix}*`)).toEqual([]);
      expect(await refused({ shards: 4 })).toBe('was taken');
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
      const ledger = keptLedger(redis, {
        prefix,
        clock,
        timezone: stored?.timezone ?? '',
        boards: stored?.boards ?? [],
      });
      await ledger.prepare({ stores: false });
      expect(ledger.shards).toBe(4);
      const summary = await new LedgerAudit(redis, ledger).run();
      expect(summary).toMatchObject({ ledgers: 1, differences: 0 });
    });
  });

  it('takes the number of shards of the data where none is configured', async () => {
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

describe.each([1, 3])('terms, on %d shards', (shards) => {
  const morning = '2036-11-20T08:00:00.000Z';
  const today = Period.parse('day', '2036-11-20', 'UTC');
  let prefix: string;
  const clock = new ManualClock(morning);
  beforeEach(() => {
    clock.set(morning);
    prefix = freshPrefix();
  });

  const withTerms = (terms: string | null): Ledger =>
    keptLedger(redis, { prefix, shards, clock, terms, boards: [keptBoard('day'), keptBoard('month')] });
  const praise = (points: number, change: Partial<LawfulTransition> = {}): LawfulTransition => ({
    kind: 'grant',
    member: 'ann',
    field: 'p:article:7',
    points,
    occurredAtMs: clock.now(),
    ...change,
  });
  const apply = async (ledger: Ledger, transition: LawfulTransition) => {
    clock.advance(1_000);
    const [result] = await ledger.apply([transition]);
    return [result?.outcome, result?.points];
  };
  const fields = async (ledger: Ledger) => {
    const [day] = await ledger.history.days('ann', today, today);
    return day?.fields.map(({ field, points, version }) => ({ field, points, version }));
  };

  it('get one version each from many instances that start at once', async () => {
    const started = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const ledger = withTerms(`terms ${i % 3}`);
        await ledger.prepare();
        return [i % 3, await ledger.terms.version()] as const;
      }),
    );
    const versions = new Map(started);
    expect([...versions.values()].sort()).toEqual([1, 2, 3]);
    for (const [terms, version] of started) expect(version).toBe(versions.get(terms));
  });

  it('are not asked for by a ledger without any, whose data is of version 1', async () => {
    const ledger = withTerms(null);
    await ledger.prepare();
    await apply(ledger, praise(2));
    expect(await ledger.terms.version()).toBe(1);
    expect(await redis.exists(keys.terms(prefix))).toBe(0);
    expect(await fields(ledger)).toEqual([{ field: 'p:article:7', points: 2, version: 1 }]);
  });

  it('of a transition are those that it names, whatever the ledger was built with', async () => {
    const ledger = withTerms('a');
    await ledger.prepare();
    const other = await ledger.terms.versionOf('b');
    expect([other, await ledger.terms.version()]).toEqual([2, 1]);
    expect(await apply(ledger, praise(5, { version: other }))).toEqual(['granted', 5]);
    const standing = (points: number, version: number) => [{ field: 'p:article:7', points, version }];
    expect(await fields(ledger)).toEqual(standing(5, 2));
    await apply(ledger, praise(5, { kind: 'revoke', version: other }));
    // Judged in full, since the field is there: by its own terms as well.
    expect(await apply(ledger, praise(7, { version: other }))).toEqual(['granted', 7]);
    expect(await fields(ledger)).toEqual(standing(7, 2));
    await apply(ledger, praise(7, { kind: 'revoke' }));
    expect(await apply(ledger, praise(2, { limits: [dailyGrants(9)] }))).toEqual(['granted', 2]);
    expect(await fields(ledger)).toEqual(standing(2, 1));
    await expect(ledger.apply([praise(1, { version: 0 })])).rejects.toThrow('version is 0');
  });
});
