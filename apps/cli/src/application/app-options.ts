import { type ActivityModuleOptions, type LeaderboardConfig } from '@laurel/activity';
import { storedOptions, type StoredOptions } from '@laurel/activity/internals';
import { CommandError } from '../errors/command-error';
import type { Access } from './access';
import type { CommandContext } from './command-context';
import type { OpenRedis } from './open-redis';
import { nothingFound } from './redis-target';

/** The types of limits that need no code of an app's. */
const builtInLimits: readonly string[] = ['sliding', 'daily', 'weekly', 'monthly', 'contest'];

/** Options of the module, without those of the connection. */
export type AppOptions = Omit<ActivityModuleOptions, 'redis'>;

/**
 * The options of the app whose data lies under the prefix, as it has stored them: time zone, week start, leaderboards,
 * shards, rules and limits. Null: there is no data.
 * @throws CommandError if a variable contradicts the stored options, or a command that needs data finds none.
 */
export async function appOptions(
  found: OpenRedis,
  access: Access,
  { config }: CommandContext,
): Promise<AppOptions | null> {
  const { client, prefix, environment } = found;
  const stored = await storedOptions(client, prefix);
  if (stored === null && access !== 'begins') throw nothingFound(found);
  if (stored === null) return null;
  const { file, options } = await config();
  const sourceOf = (option: 'timezone' | 'shards', variable: string) =>
    options[option] === undefined ? variable : `${option} in ${file}`;
  assertNoContradiction(stored, found, sourceOf);
  const { leaderboards, limits, ...others } = stored;
  const known = new Set([...builtInLimits, ...(options.limitTypes ?? []).map(({ type }) => type)]);
  return {
    ...environment,
    ...others,
    ...(leaderboards && { leaderboards }),
    // Limits of the app's own are its code, which a configuration may have.
    ...(limits && { limits: limits.filter(({ type }) => known.has(type)) }),
    // A command that writes activities may be told to reach further back than the app does.
    ...(access === 'begins' && reachingBack(environment, leaderboards ?? environment.leaderboards ?? [])),
  };
}

function reachingBack(
  { latenessMs, retentionMs }: OpenRedis['environment'],
  leaderboards: readonly LeaderboardConfig[],
): Pick<AppOptions, 'leaderboards' | 'retentionMs'> {
  return {
    leaderboards: leaderboards.map(({ latenessMs: own, retentionMs: ownRetention, ...leaderboard }) => {
      const late = latenessMs ?? own;
      const kept = retentionMs ? undefined : ownRetention;
      return {
        ...leaderboard,
        ...(late !== undefined && { latenessMs: late }),
        ...(kept !== undefined && { retentionMs: kept }),
      };
    }),
    ...(retentionMs && { retentionMs }),
  };
}

/** Neither is guessed: one of the two is a mistake. */
function assertNoContradiction(
  stored: StoredOptions,
  { environment, prefix, name }: OpenRedis,
  sourceOf: (option: 'timezone' | 'shards', variable: string) => string,
): void {
  const compared = [
    [sourceOf('timezone', 'LAUREL_TIMEZONE'), environment.timezone, stored.timezone],
    [sourceOf('shards', 'LAUREL_SHARDS'), environment.shards, stored.shards],
  ] as const;
  for (const [source, configured, found] of compared) {
    if (configured === undefined || found === undefined || configured === found) continue;
    throw new CommandError(
      `${source} is ${configured}, but the data under the prefix "${prefix}" on ${name} has ${found}: ` +
        `leave ${source} out, or correct it, LAUREL_PREFIX or REDIS_URL.`,
    );
  }
}
