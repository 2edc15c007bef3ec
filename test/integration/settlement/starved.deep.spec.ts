import { Erasures, Exclusions, SettlementService, type ArchivedEntry } from '@laurel/activity';
import { PostgresArchive } from '@laurel/archive';
import type { PostgresServer } from '@laurel/servers';
import type { Pool } from 'pg';
import { createPool, startTestPostgres } from '../../support/postgres';
import { type AllOptions, freshPrefix, ManualClock, TinyApp } from '../activity/support';
import { moduleOf } from '../activity/support/past-days';

let postgres: PostgresServer;
let pool: Pool;
beforeEach(async () => {
  postgres = await startTestPostgres();
  pool = createPool(postgres.url);
});
afterEach(async () => {
  await pool.end();
  await postgres.stop();
});

/** Ahead, so that nothing expires. */
const day = '2036-11-20';
const today = '2036-11-21';
const noon = `${day}T12:00:00Z`;
const closesMs = Date.parse(`${day}T23:59:59.999Z`) + 1 + 3_600_000;

/** Enough for four pages of a settler. */
const count = 1_000;
const nameOf = (place: number) => `user-${place}`;

/** An app with a closed day of 1,000 users, whose archive does something more with each page that it is given. */
async function open(shards: number, meanwhile: (app: TinyApp, page: number) => Promise<unknown>) {
  const prefix = freshPrefix();
  const archive = new PostgresArchive(pool);
  const begin = archive.begin.bind(archive);
  let drafts = 0;
  let pages = 0;
  archive.begin = async (...args) => {
    drafts += 1;
    const draft = await begin(...args);
    const append = draft.append.bind(draft);
    draft.append = async (entries) => {
      await append(entries);
      pages += 1;
      await meanwhile(app, pages);
    };
    return draft;
  };
  const clock = new ManualClock(noon);
  const options: Partial<AllOptions> = {
    ...{ prefix, clock, shards },
    settlement: { everyMs: 86_400_000 },
    leaderboards: [{ name: 'day', period: 'day' }],
  };
  const app = await TinyApp.start({ options, extras: { imports: [moduleOf(archive)] } });
  for (let from = 1; from <= count; from += 500) {
    // Who came first stands first: user-1 at place 1.
    const events = Array.from({ length: 500 }, (_, i) => ({
      ...{ userId: nameOf(from + i), action: 'view', subject: '/' },
      occurredAt: new Date(Date.parse(noon) - 3_600_000 + from + i).toISOString(),
    }));
    await app.record(...events);
  }
  clock.set(closesMs);
  await app.record(
    ...Array.from({ length: 20 }, (_, i) => ({
      ...{ userId: `other-${i + 1}`, action: 'view', subject: '/' },
      occurredAt: `${today}T00:30:00Z`,
    })),
  );
  const settle = () => app.nest.get(SettlementService).settleDue();
  const archived = () => archive.page('day', day, 0, 2 * count);
  return { app, archive, settle, archived, drafts: () => drafts, pages: () => pages };
}

const places = (entries: readonly ArchivedEntry[]) => entries.map(({ place, userId }) => `${place} ${userId}`);
const everyone = Array.from({ length: count }, (_, i) => `${i + 1} ${nameOf(i + 1)}`);

describe.each([1, 3])('a day that is archived, on %d shards, while others are at work', (shards) => {
  it('is settled with one draft while a user who is not on it is excluded or erased with each page', async () => {
    const { settle, archived, drafts, pages } = await open(shards, async (app, page) => {
      await app.nest.get(Exclusions).exclude(`other-${page}`);
      await app.nest.get(Erasures).erase(`other-${page + 10}`);
    });
    expect(await settle()).toMatchObject({ settled: [{ total: count }], failed: [] });
    expect([drafts(), pages() >= 4]).toEqual([1, true]);
    expect(places(await archived())).toEqual(everyone);
  });

  it('is settled with one draft while users on it are excluded and shown again with each page', async () => {
    const { app, archive, settle, archived, drafts } = await open(shards, async ({ nest }, page) => {
      const exclusions = nest.get(Exclusions);
      // Those who were read, and those who were not yet, go beside the board; some come back.
      for (const place of [page, 250 + page, 500 + page, 750 + page, 1_000 - page]) {
        await exclusions.exclude(nameOf(place));
      }
      await exclusions.include(nameOf(500 + page));
    });
    expect(await settle()).toMatchObject({ settled: [{ total: count }], failed: [] });
    expect(drafts()).toBe(1);
    expect(places(await archived())).toEqual(everyone);
    const hidden = (await archive.hidden('day', day)).map(({ userId }) => userId);
    const { exclusions } = await app.nest.get(Exclusions).list({ limit: 1_000 });
    expect(new Set(hidden)).toEqual(new Set(exclusions.map(({ userId }) => userId)));
  });

  it('is settled with one draft while users on it are erased with each page, and names none of them', async () => {
    const erased = new Set<string>();
    const { settle, archive, archived, drafts } = await open(shards, async ({ nest }, page) => {
      for (const place of [page, 250 + page, 1_000 - page]) {
        erased.add(nameOf(place));
        await nest.get(Erasures).erase(nameOf(place));
      }
    });
    const done = await settle();
    expect(done).toMatchObject({ settled: [{ leaderboard: 'day' }], failed: [] });
    expect(drafts()).toBe(1);
    const entries = await archived();
    expect(erased.size).toBeGreaterThan(10);
    expect(entries.map(({ userId }) => userId)).toEqual(
      Array.from({ length: count }, (_, i) => nameOf(i + 1)).filter((userId) => !erased.has(userId)),
    );
    // A user who was read before the erasure has left a nameless entry.
    const { total } = (await archive.find('day', day)) ?? { total: 0 };
    const gaps = await archive.hidden('day', day);
    expect(gaps.every(({ userId }) => userId === null)).toBe(true);
    expect(total).toBe(entries.length + gaps.length);
    const all = [...entries, ...gaps].map(({ place }) => place).sort((a, b) => a - b);
    expect(all).toEqual(Array.from({ length: total }, (_, i) => i + 1));
  });
});
