import { type ActivityModuleOptions, type LeaderboardConfig } from '@laurel/activity';
import { storedOptions, type StoredOptions } from '@laurel/activity/internals';
import { textOf } from '@laurel/settings';
import { CommandError } from '../errors/command-error';
import type { Access } from './access';
import type { OpenRedis } from './open-redis';
import { nothingFound } from './redis-target';

/** Options of the module, without those of the connection. */
export type AppOptions = Omit<ActivityModuleOptions, 'redis'>;

/**
 * The options of the app whose data lies under the prefix, as it has stored them: time zone, week start, leaderboards,
 * shards, rules and limits. Data of an earlier version lacks some of them: the environment has those. Null: there is no
 * data.
 * @throws CommandError if a variable contradicts the stored options, or a command that needs data finds none.
 */
export async function appOptions(found: OpenRedis, access: Access, env: NodeJS.ProcessEnv): Promise<AppOptions | null> {
  const { client, prefix, environment } = found;
  const stored = await storedOptions(client, prefix);
  if (stored === null && access !== 'begins') throw nothingFound(found);
  if (stored === null) return null;
  assertNoContradiction(stored, found, env);
  const { rulesFile: _, ...ofEnvironment } = environment;
  const { leaderboards, limits, ...others } = stored;
  return {
    ...ofEnvironment,
    ...others,
    ...(leaderboards && { leaderboards }),
    // Limits of the app's own are its code.
    ...(limits && { limits: limits.filter(({ type }) => type === 'sliding' || type === 'daily') }),
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
  env: NodeJS.ProcessEnv,
): void {
  const compared = [
    ['LAUREL_TIMEZONE', environment.timezone, stored.timezone],
    ['LAUREL_SHARDS', environment.shards, stored.shards],
  ] as const;
  for (const [variable, configured, found] of compared) {
    if (configured === undefined || found === undefined || configured === found) continue;
    throw new CommandError(
      `${variable} is ${textOf(env, variable) ?? ''}, but the data under the prefix "${prefix}" on ${name} has ${found}: ` +
        `leave ${variable} out, or correct it, LAUREL_PREFIX or REDIS_URL.`,
    );
  }
}
