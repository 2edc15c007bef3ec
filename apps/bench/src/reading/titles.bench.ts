import {
  ActivityModule,
  ActivityService,
  BusiestCommenter,
  MostFollowed,
  MostPraised,
  NewcomerOfTheWeek,
  NightOwl,
  RankService,
  TitlesModule,
  SevenDayStreak,
  type Activity,
} from '@laurel/activity';
import { Ledgers, type Tally } from '@laurel/activity/internals';
import { startRedis } from '@laurel/servers';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import type { BenchContext, Benchmark } from '../harness/context';
import { compare } from '../harness/sample';
import { inFlight } from '../recording/setting';

const dayMs = 86_400_000;

/** How many entries a page has; those on it did this much a day, for a week. */
const limit = 20;
const activitiesADay = 20;

const tallies: readonly Tally[] = ['given:comment', 'received:praise', 'received:follow'];
const boards = ['day', 'week', 'month'] as const;

@Module({ providers: [BusiestCommenter, MostFollowed, MostPraised, NewcomerOfTheWeek, NightOwl, SevenDayStreak] })
class SixRules {}

/**
 * A page of standings with the six ready titles against the page without, both by RankService and read from Redis each
 * time: with titles found anew for each page, with titles kept, and with nothing known of anybody, as when a process
 * shows its first page.
 */
export const titlesBench: Benchmark = {
  name: 'titles',
  title: `a page of ${limit} entries with titles`,
  async run({ memberCounts, rounds, isQuick, report }: BenchContext): Promise<void> {
    const pages = isQuick ? 200 : 500;
    const members = Math.min(...memberCounts);
    const redis = await startRedis();
    // The clock stands: what is kept stays kept. At noon, so that a late hour does not change what is measured.
    const noonMs = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2;
    // What is known of a user whose entry has just changed is not kept: read later than it was recorded.
    const readMs = noonMs + 600_000;
    const open = (cacheMs: number, now: () => number = () => readMs) =>
      NestFactory.createApplicationContext(
        {
          module: SixRules,
          imports: [
            EventEmitterModule.forRoot(),
            ActivityModule.forRoot({
              redis: { url: redis.url },
              clock: { now },
              cacheMs: 0,
              latenessMs: 31 * dayMs,
              leaderboards: boards.map((name) => ({ name, period: name, tallies })),
              firstDays: true,
            }),
            TitlesModule.forRoot({ cacheMs }),
          ],
        },
        { logger: false },
      );
    // The app caches users for a minute: a clock that jumps empties that cache.
    let calls = 0;
    const jumping = () => readMs + (calls++ % 2) * 600_000;
    const [anew, kept, blank] = [await open(0), await open(60_000), await open(0, jumping)];
    try {
      await fill(anew, members, noonMs);
      for (const board of boards) {
        for (const [how, app, atMost] of [
          ['titles found anew, of users as they were', anew, 2.5],
          ['titles kept', kept, 2.5],
          ['nothing known of any user', blank, null],
        ] as const) {
          const ranks = app.get(RankService);
          const microsecondsAPage = async (titles: boolean) => {
            const startedMs = performance.now();
            await inFlight(pages, 4, () => ranks.standings(board, { limit, titles }));
            return [((performance.now() - startedMs) * 1_000) / pages];
          };
          report(
            await compare(
              () => microsecondsAPage(true),
              () => microsecondsAPage(false),
              {
                setting: `${board}, ${members.toLocaleString('en')} members, ${how}`,
                baselineName: 'the same page without titles',
                metrics: [{ name: titlesBench.title, unit: 'µs', target: atMost && { of: 'ratio', atMost } }],
                rounds,
              },
            ),
          );
        }
      }
    } finally {
      await anew.close();
      await kept.close();
      await blank.close();
      await redis.stop();
    }
  },
};

/** Puts so many users on the boards; the first ones were busy on each of the last seven days. */
async function fill(app: INestApplicationContext, members: number, noonMs: number): Promise<void> {
  const service = app.get(ActivityService);
  const actions = ['praise', 'comment', 'collect', 'view'];
  const busy: Activity[] = [];
  for (let user = 0; user < 2 * limit; user++) {
    for (let day = 0; day < 7; day++) {
      for (let i = 0; i < activitiesADay; i++) {
        const occurredAt = new Date(noonMs - day * dayMs - i * 1_800_000);
        busy.push({ userId: `user-${user}`, action: actions[i % 4] ?? '', subject: `article:${day}-${i}`, occurredAt });
      }
    }
  }
  const others = Array.from({ length: members }, (_, i) => {
    return { userId: `user-${i}`, action: 'view', subject: 'article:start', occurredAt: new Date(noonMs) };
  });
  const all: Activity[] = [...busy, ...others];
  for (let first = 0; first < all.length; first += 1_000) await service.record(all.slice(first, first + 1_000));
  const { main } = app.get(Ledgers);
  await main.apply(
    boards.flatMap((board) =>
      Array.from({ length: limit }, (_, i) => ({
        kind: 'grant' as const,
        ...{ member: `user-${i}`, field: `owner:p:${board}`, points: 1, occurredAtMs: noonMs },
        boards: [board, `${board}.r.p`],
      })),
    ),
  );
}
