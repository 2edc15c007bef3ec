import { ActivityService, Erasures, LedgerService, type ActivityChange } from '@laurel/activity';
import { Ledgers } from '@laurel/activity/internals';
import { BoardAudits } from '@laurel/activity/tools';
import { keys } from '../../support/keys';
import { ManualClock } from '../../support/clock';
import { closeTestRedis, freshPrefix, testRedis } from '../../support/redis';
import { stopTinyApps, TinyApp } from './support/tiny-app';

afterEach(stopTinyApps);
afterAll(closeTestRedis);

const dayMs = 86_400_000;
const firstDay = 24_430;
const days = [0, 1, 2, 3];
const startMs = firstDay * dayMs + dayMs / 2;
/** Ids of up to 40 bytes stand in fields as they are. */
const longId = `${'7'.repeat(60)}x`;
const users = ['7', '8', longId];

/** An app on data whose ledgers have the short form from a day on; null: on data of the version before. */
const start = async (shortFrom: number | null, shards = 1) => {
  const prefix = freshPrefix();
  const form = shortFrom === null ? { format: '1' } : { format: '2', shortFrom: String(shortFrom) };
  await testRedis().hset(keys.layout(prefix), { shards: String(shards), naming: 'complete', ...form });
  const clock = new ManualClock(startMs);
  const app = await TinyApp.start({
    options: {
      clock,
      prefix,
      shards,
      leaderboards: [
        { name: 'day', period: 'day' },
        { name: 'month', period: 'month' },
        { name: 'tokyo', period: 'day', timezone: 'Asia/Tokyo', points: { praise: 5 } },
      ],
      limits: [{ type: 'daily', action: 'view', max: 3 }],
      // Days end meanwhile: whether one is archived when a user is erased is of no form.
      settlement: false,
    },
  });
  const nest = app.nest;
  const service = nest.get(ActivityService);
  const outcomes: unknown[] = [];
  const apply = async (changes: readonly ActivityChange[]) => {
    const results = await service.apply(changes);
    outcomes.push(...results.map(({ outcome, points, scores }) => ({ outcome, points, scores })));
  };
  for (const n of days) {
    if (n > 0) clock.advance(dayMs);
    const nowMs = clock.now();
    for (const userId of users) {
      const others = users.filter((other) => other !== userId);
      await apply([
        ...Array.from({ length: 5 }, (_, i) => ({ userId, action: 'view', subject: `/articles/${10 * n + i}` })),
        ...others.map((other) => ({ userId, action: 'follow', subject: `user:${other}` })),
        { userId, action: 'praise', subject: 'article:1', ownerId: others[0] as string },
        { userId, action: 'praise', subject: `article:${'of a long name '.repeat(9)}` },
        { userId, action: 'comment', subject: 'article:2', occurredAt: new Date(nowMs - 100) },
        // What an import brings: of the days before, in any order.
        { userId, action: 'collect', subject: `article:${n}`, occurredAt: new Date(nowMs - dayMs) },
        { userId, action: 'collect', subject: 'article:9', occurredAt: new Date(nowMs - 2 * dayMs) },
      ]);
      await apply([
        { userId, action: 'view', subject: `/articles/${10 * n}` },
        { userId, action: 'praise', subject: 'article:1', ownerId: others[0] as string },
        // It ends what stands of it, on whichever day.
        ...(n === 2 ? [{ userId, action: 'praise', subject: 'article:1', revoke: true }] : []),
        ...(n === 3 ? [{ userId, action: 'follow', subject: `user:${others[0]}`, revoke: true }] : []),
        {
          userId,
          action: 'comment',
          subject: 'article:2',
          revoke: true,
          grantedAt: new Date(nowMs - dayMs),
          occurredAt: new Date(nowMs),
        },
      ]);
    }
  }
  return { app, nest, prefix, clock, outcomes };
};

type Started = Awaited<ReturnType<typeof start>>;

/** What a user is shown of every day, whatever the form; of long subjects a digest of one length or the other. */
const shownOf = async ({ nest }: Started) => {
  const pages = users.flatMap((userId) =>
    days.map(async (n) => {
      const date = new Date((firstDay + n) * dayMs).toISOString().slice(0, 10);
      const { lines, ...page } = await nest.get(LedgerService).page(userId, { date });
      const shown = lines.map((line) => JSON.stringify({ ...line, digest: line.digest?.slice(0, 12) ?? null }));
      return { ...page, lines: shown.sort() };
    }),
  );
  const histories = users.map((userId) => nest.get(ActivityService).history(userId, {}));
  return { pages: await Promise.all(pages), histories: await Promise.all(histories) };
};

/** The names of the fields of everybody's ledgers and lists of revokes. */
const fieldsOf = async ({ nest, prefix }: Started) => {
  const found = await testRedis().keys(`{${prefix}*}:*`);
  const hashes = found.filter((key) => /}:(ledger|revokes):/.test(key));
  const { short } = nest.get(Ledgers).main.settings.fieldNames;
  const all = (await Promise.all(hashes.map((key) => testRedis().hkeys(key)))).flat();
  return { all, namesOf: (field: string) => all.filter((name) => name === field || name === short(field)) };
};

describe.each([1, 4])('ledgers of the short form, on %d shards', (shards) => {
  it('answer, tell a history, verify and forget a user as those of the version before do', async () => {
    const before = await start(null, shards);
    const shown = await shownOf(before);
    const receipts = await erasedOf(before);
    for (const shortFrom of [0, firstDay + 2]) {
      const started = await start(shortFrom, shards);
      expect(started.outcomes).toEqual(before.outcomes);
      expect(await shownOf(started)).toEqual(shown);
      const report = await started.nest.get(BoardAudits).verify();
      expect(report).toMatchObject({ differences: 0, gaps: [] });
      expect(await erasedOf(started)).toEqual(receipts);
    }
  });
});

/** Erases one user of each sort of id; returns the receipts, once nothing names either. */
async function erasedOf(started: Started) {
  const erased = ['7', longId];
  const { namesOf: namesBefore } = await fieldsOf(started);
  const fieldOf = (userId: string) => `f:user:${userId}`;
  const receipts = [];
  expect(namesBefore(fieldOf('7')).length).toBeGreaterThan(0);
  for (const userId of erased) {
    const receipt = await started.nest.get(Erasures).erase(userId);
    // Refusals are traced beside recording: how many were by then is of no form.
    receipts.push({ ...receipt, erased: { ...receipt.erased, refusals: null } });
  }
  const { all, namesOf } = await fieldsOf(started);
  expect(namesOf(fieldOf('7'))).toEqual([]);
  expect(namesOf(fieldOf('8')).length).toBe(0);
  // Of digests, those of the long subject alone are left.
  const digests = all.flatMap((name) => /^\w+:?#([\w-]{12})/.exec(name)?.[1] ?? []);
  expect(new Set(digests).size).toBe(1);
  // What is left are the follows that the third user received, in their own ledgers, and those taken back.
  const lists = await testRedis().keys(`{${started.prefix}*}:naming:*`);
  expect(new Set(lists.map((key) => key.replace(/^.*naming:/, '')))).toEqual(new Set(['user:8']));
  return receipts;
}
