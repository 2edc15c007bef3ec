import { Module, type Type } from '@nestjs/common';
import { STANDINGS_ARCHIVE, type StandingsArchive } from '@laurel/activity';
import { Ledgers } from '@laurel/activity/internals';
import { Period } from '@laurel/leaderboard';
import { ManualClock } from '../../../support/clock';
import { archivePeriod, MemoryArchive } from '../../../support/memory-archive';
import { testRedis } from '../../../support/redis';
import { TinyApp, type TinyAppOptions } from './tiny-app';

/** Boards of the tests expire by Redis' own clock: days ahead of it, they live until a test ends that. */
const start = '2036-11-20T08:00:00.000Z';

export interface PastDays {
  readonly app: TinyApp;
  readonly clock: ManualClock;
  readonly archive: MemoryArchive;
  /** Gives points by praises, a second apart in the order given. */
  earn(scores: Readonly<Record<string, number>>): Promise<void>;
  /** Archives a day's standings as settling it does; the board stays. */
  archiveDay(day: string): Promise<void>;
  /** Deletes a day's board, as its expiry does, once it is archived. */
  dropDay(day: string): Promise<void>;
}

/** A module that binds an archive. */
export function moduleOf(archive: StandingsArchive): Type {
  @Module({ providers: [{ provide: STANDINGS_ARCHIVE, useValue: archive }], exports: [STANDINGS_ARCHIVE] })
  class ArchiveModule {}
  return ArchiveModule;
}

/** An app whose days a test archives and lets expire. */
export async function beginDays(given: TinyAppOptions = {}): Promise<PastDays> {
  const clock = new ManualClock(start);
  const archive = new MemoryArchive();
  const app = await TinyApp.start({
    ...given,
    extras: { imports: [moduleOf(archive)] },
    options: {
      clock,
      rules: [{ action: 'praise', points: 1, revocable: true }],
      // Days are settled when a test says so.
      settlement: { everyMs: 86_400_000 },
      ...given.options,
    },
  });
  const ledger = app.nest.get(Ledgers).main;
  const archived = new Set<string>();
  const archiveDay = async (day: string) => {
    const period = Period.parse('day', day, 'UTC');
    await ledger.periods.freeze('day', period);
    await archivePeriod(archive, ledger, 'day', period);
    archived.add(day);
  };
  return {
    app,
    clock,
    archive,
    async earn(scores) {
      for (const [userId, score] of Object.entries(scores)) {
        await app.record(
          ...Array.from({ length: score }, (_, i) => ({ userId, action: 'praise', subject: `${clock.now()} ${i}` })),
        );
        clock.advance(1_000);
      }
    },
    archiveDay,
    async dropDay(day) {
      if (!archived.has(day)) await archiveDay(day);
      const { prefix, tags } = ledger.settings;
      await testRedis().del(...tags.map((tag) => `{${prefix}:${tag}}:board:day:${day}`));
    },
  };
}
