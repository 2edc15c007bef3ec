import type { LoggerService } from '@nestjs/common';
import type { CommunityOptions } from '../../community/src/options/community.options';
import { type Begun, writeBegun } from './begun';
import { imaginePast } from './past/imagine-past';
import { liveThrough } from './past/live-through';
import { showDays } from './progress';

/** A year, so that the calendar is full. */
export const usualDays = 365;

/** The past is the same in every clone, but for the days on which it ends. */
const seed = 1843;

/** What the demo's past is made with. */
export interface DemoPastOptions {
  readonly community: CommunityOptions;
  readonly begun: Begun;
  readonly dataDir: string;
  readonly passwordOf: (name: string) => string;
  /** Default: a year. */
  readonly days?: number;
  readonly logger: LoggerService;
}

/** Gives the community a past at its first start, and after a start that was interrupted. */
export async function giveItAPast(options: DemoPastOptions): Promise<void> {
  const { community, begun, dataDir, passwordOf, days = usualDays, logger } = options;
  if (begun.hasPast) return;
  // A start that was interrupted goes on with the same one.
  const { at, isFirst } = begun;
  const { timezone = 'UTC' } = community.activity;
  const past = imaginePast({ seed, endMs: at.getTime(), days, timezone });
  const shown = showDays('Living through a year', past.days.length);
  try {
    await liveThrough(past, {
      community,
      passwordOf,
      isResumed: !isFirst,
      onDay: (n) => shown.update(n),
      logger,
    });
  } finally {
    shown.stop();
  }
  await writeBegun(dataDir, { at, hasPast: true });
}
