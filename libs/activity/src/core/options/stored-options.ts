import type { AboutFault } from '@laurel/leaderboard/internals';
import type { ActivityModuleOptions } from './activity.options';
import type { ActivitySettings, LeaderboardSettings } from './settings';

/** The options that are stored beside what the engine stores; `decimals` are left out where points have none. */
export type About = Pick<
  ActivityModuleOptions,
  'weekStart' | 'retentionMs' | 'leaderboards' | 'firstDays' | 'databaseId' | 'decimals'
>;

/** The text that `storedOptions` is read from again. */
export function aboutText(settings: ActivitySettings): string {
  const { weekStart, ledgerRetentionMs, leaderboards, firstDays, decimals, databaseId } = settings;
  const about: About = {
    weekStart,
    retentionMs: { ledger: ledgerRetentionMs },
    leaderboards: leaderboards.map(({ config: { visibility: _, ...config }, timezone, latenessMs, retentionMs }) => {
      return { ...config, timezone, latenessMs, retentionMs };
    }),
    firstDays,
    ...(decimals > 0 && { decimals }),
    ...(databaseId !== null && { databaseId }),
  };
  return JSON.stringify(about);
}

/**
 * Leaderboards that the app before had in another ledger: they would begin anew; other decimals, by which all
 * points would be misread; and another database, whose users these points are of.
 */
export function aboutFaults(
  { timezone, leaderboards, decimals, databaseId }: ActivitySettings,
  stored: string,
): readonly AboutFault[] {
  const { leaderboards: before = [], decimals: kept = 0, databaseId: other = databaseId } = JSON.parse(stored) as About;
  if (databaseId !== null && other !== databaseId) {
    const fault = `the database ${other}, but the database ${databaseId} is configured`;
    const remedy = `Redis and the database are of two apps: correct the address of one, or, if the database was made anew, give it the former id`;
    return [{ fault, remedy }];
  }
  if (kept !== decimals) {
    const fault = `points with decimals ${kept}, but decimals ${decimals} is configured`;
    return [{ fault, remedy: `configure decimals ${kept}, or store new data under another prefix` }];
  }
  return leaderboards.flatMap(({ name, hasOwnLedger, ...now }): AboutFault[] => {
    const was = before.find((one) => one.name === name);
    if (!was || hasOwnLedger === (was.timezone !== timezone || was.points !== undefined)) return [];
    const told = (zone: string | undefined, points: unknown) =>
      `timezone "${zone}" and points of ${points ? 'its own' : 'the rules'}`;
    const fault = `the board "${name}" with ${told(was.timezone, was.points)}, but ${told(now.timezone, now.points)} are configured`;
    return [{ fault, remedy: 'configure the former, or give the board another name' }];
  });
}

/** What counts on a leaderboard, as Redis keeps it; however it was listed. */
export function countsText({ actions, where }: Pick<LeaderboardSettings, 'actions' | 'where'>): string {
  const sorted = (parts: readonly string[] | undefined) => parts && [...parts].sort();
  const places = where.map(({ partition, only, except }) => JSON.stringify([partition, sorted(only), sorted(except)]));
  return [sorted(actions)?.join(', ') ?? 'all', ...places.sort()].join(' where ');
}
