import {
  ActivityError,
  type ActivityModuleOptions,
  defaultRules,
  type LeaderboardConfig,
  type LimitConfig,
  type RedisOptions,
  type Rule,
} from '@laurel/activity';
import {
  type DefinedLimit,
  documentOf,
  isTally,
  parseRules,
  ruleFaultLines,
  type RulesContext,
  type RulesDocument,
  type Tally,
} from '@laurel/activity/internals';
import { activityVariables } from './activity-variables';
import { redisEnvironment } from './redis-variables';
import { checkSpelling } from './known-variables';
import { present, readVariables, type Variables } from './variables';

/** The module's options as far as the environment has them; `redis` is missing where it names none. */
export type ActivityEnvironment = Omit<ActivityModuleOptions, 'redis'> & { readonly redis?: RedisOptions };

/** The tallies whose first user the ready title rules need. */
const tallies: readonly Tally[] = ['given:comment', 'received:praise', 'received:follow'];

/** Where LAUREL_RULES names none: nobody reads more pages on a day. */
const usualLimits: readonly LimitConfig[] = [{ type: 'daily', action: 'view', max: 100 }];

/** The points that readers give an author: on a leaderboard of its own, as many as they earn themselves. */
const authors = 'authors';
const givenByReaders = ['view', 'praise', 'collect', 'comment'];
const usualRules: readonly Rule[] = defaultRules.map((rule) => {
  const grants = [{ to: 'owner', points: rule.points, leaderboards: [authors] }] as const;
  return givenByReaders.includes(rule.action) ? { ...rule, grants } : rule;
});

/**
 * The leaderboards of an app that is configured by its environment: one for each kind of period, named after it; weeks
 * and months also by the category of activities; the month's authors. An activity with a category moves two boards
 * more.
 */
function leaderboardsOf(actions: readonly string[]): readonly LeaderboardConfig[] {
  const known = tallies.filter((tally) => isTally(tally, actions));
  const periods = (['day', 'week', 'month'] as const).map((period) => ({ name: period, period, tallies: known }));
  const byCategory = (['week', 'month'] as const).map((period) => ({
    name: `category-${period}`,
    period,
    partition: 'category',
  }));
  return [...periods, { name: 'all', period: 'all' }, ...byCategory, { name: authors, period: 'month', actions: [] }];
}

/**
 * The REDIS_* and LAUREL_* variables as options of the module. Only this folder knows them, so an app and its
 * operators' commands always work on the same boards.
 * @param limitTypes the app's custom limits that LAUREL_RULES may name; they are separate options.
 * @throws ActivityError `invalidOption`, naming the variable, its value (except secrets) and what is allowed.
 */
export function activityEnvironment(
  variables: Variables,
  limitTypes: readonly DefinedLimit[] = [],
): ActivityEnvironment {
  checkSpelling(variables);
  const given = readVariables(activityVariables, variables);
  const redis = redisEnvironment(variables);
  const { LAUREL_LATENESS_S: latenessS, LAUREL_CLOCK_SKEW_S: clockSkewS } = given;
  const { LAUREL_WAIT_REPLICAS: replicas, LAUREL_WAIT_REPLICAS_MS: timeoutMs } = given;
  const { LAUREL_RULES: rules } = given;
  const decimals = given.LAUREL_DECIMALS ?? 0;
  const context = { limitTypes, decimals };
  const document = rules === undefined ? undefined : checkedDocument('LAUREL_RULES', rules, context);
  const inForce = document?.rules ?? usualRules;
  return {
    leaderboards: leaderboardsOf(inForce.map(({ action }) => action)),
    firstDays: true,
    ...(redis && { redis }),
    ...present({
      prefix: given.LAUREL_PREFIX,
      shards: given.LAUREL_SHARDS,
      timezone: given.LAUREL_TIMEZONE,
      decimals: given.LAUREL_DECIMALS,
      latenessMs: latenessS && latenessS * 1_000,
      clockSkewMs: clockSkewS && clockSkewS * 1_000,
      cacheMs: given.LAUREL_CACHE_MS,
      commandTimeoutMs: given.LAUREL_COMMAND_TIMEOUT_MS,
      retentionMs: given.LAUREL_RETENTION,
      apiKey: given.LAUREL_API_KEY,
      apiKeys: given.LAUREL_API_KEYS,
    }),
    ...(replicas > 0 && { waitForReplicas: { replicas, ...(timeoutMs !== undefined && { timeoutMs }) } }),
    ...(document ?? { rules: usualRules, limits: usualLimits }),
  };
}

/** The rules and limits in a text, as it has them. @throws ActivityError `invalidOption` with a line for each fault. */
function checkedDocument(name: string, text: string, context: RulesContext): RulesDocument {
  try {
    parseRules(text, context);
  } catch (error) {
    const faults = error instanceof ActivityError ? error.faults : [];
    throw new ActivityError('invalidOption', ruleFaultLines(name, error).join('\n'), { cause: error, faults });
  }
  return documentOf(JSON.parse(text));
}
