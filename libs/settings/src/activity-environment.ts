import { type ActivityModuleOptions, defaultRules, type LeaderboardConfig, type RedisOptions } from '@laurel/activity';
import {
  allowedCacheMs,
  allowedClockSkewMs,
  allowedShards,
  anyDuration,
  checkedApiKey,
  checkedDocument,
  checkedPrefix,
  checkedRedisUrl,
  checkedTimezone,
  isTally,
  readRulesFile,
  type DefinedLimit,
  type RedisNode,
  type Tally,
} from '@laurel/activity/internals';
import { checkSpelling } from './known-variables';
import { retentionFrom } from './retention-variable';
import { textOf, variableError, type Variables, wholeOf } from './variables';

/** The module's options as far as the environment has them; `redis` is missing where it names none. */
export type ActivityEnvironment = Omit<ActivityModuleOptions, 'redis'> & { readonly redis?: RedisOptions };

/** What the ready title rules must know the first of. */
const tallies: readonly Tally[] = ['given:comment', 'received:praise', 'received:follow'];

/**
 * The leaderboards of an app that is configured by its environment: one for each kind of period, named after it; weeks
 * and months also by the category of activities. An activity with a category moves two boards more.
 */
function leaderboardsOf(actions: readonly string[]): readonly LeaderboardConfig[] {
  const known = tallies.filter((tally) => isTally(tally, actions));
  const periods = (['day', 'week', 'month'] as const).map((period) => ({ name: period, period, tallies: known }));
  const byCategory = (['week', 'month'] as const).map((period) => ({
    name: `category-${period}`,
    period,
    partition: 'category',
  }));
  return [...periods, { name: 'all', period: 'all' }, ...byCategory];
}

/**
 * REDIS_URL, REDIS_CLUSTER_NODES and the LAUREL_* variables as options of the module. Only this file knows them, so an
 * app and its operators' commands always work on the same boards.
 * @param limitTypes the app's custom limits that LAUREL_RULES may name; they are separate options.
 * @throws ActivityError `invalidOption`, naming the variable, its value (except secrets) and what is allowed.
 */
export function activityEnvironment(
  variables: Variables,
  limitTypes: readonly DefinedLimit[] = [],
): ActivityEnvironment {
  checkSpelling(variables);
  const redis = redisFrom(variables);
  const prefix = textOf(variables, 'LAUREL_PREFIX');
  const shards = wholeOf(variables, 'LAUREL_SHARDS', allowedShards);
  const timezone = textOf(variables, 'LAUREL_TIMEZONE');
  const latenessS = wholeOf(variables, 'LAUREL_LATENESS_S', inSeconds(anyDuration));
  const clockSkewS = wholeOf(variables, 'LAUREL_CLOCK_SKEW_S', inSeconds(allowedClockSkewMs));
  const cacheMs = wholeOf(variables, 'LAUREL_CACHE_MS', allowedCacheMs);
  const retention = textOf(variables, 'LAUREL_RETENTION');
  const apiKey = textOf(variables, 'LAUREL_API_KEY');
  const replicas = wholeOf(variables, 'LAUREL_WAIT_REPLICAS', [0, 10]) ?? 0;
  const replicasMs = wholeOf(variables, 'LAUREL_WAIT_REPLICAS_MS', [10, 60_000]);
  const rules = textOf(variables, 'LAUREL_RULES');
  const rulesFile = textOf(variables, 'LAUREL_RULES_FILE');
  if (rules !== undefined && rulesFile !== undefined) {
    throw variableError('LAUREL_RULES_FILE', rulesFile, 'LAUREL_RULES is set as well; keep one of the two');
  }
  const document =
    rules !== undefined
      ? checkedDocument('LAUREL_RULES', rules, limitTypes)
      : rulesFile !== undefined && readRulesFile('LAUREL_RULES_FILE', rulesFile, limitTypes).document;
  const inForce = (document && document.rules) || defaultRules;
  return {
    leaderboards: leaderboardsOf(inForce.map(({ action }) => action)),
    firstDays: true,
    ...(redis && { redis }),
    ...(prefix !== undefined && { prefix: checkedPrefix('LAUREL_PREFIX', prefix) }),
    ...(shards !== undefined && { shards }),
    ...(timezone !== undefined && { timezone: checkedTimezone('LAUREL_TIMEZONE', timezone) }),
    ...(latenessS !== undefined && { latenessMs: latenessS * 1_000 }),
    ...(clockSkewS !== undefined && { clockSkewMs: clockSkewS * 1_000 }),
    ...(cacheMs !== undefined && { cacheMs }),
    ...(retention !== undefined && { retentionMs: retentionFrom('LAUREL_RETENTION', retention) }),
    ...(replicas > 0 && {
      waitForReplicas: { replicas, ...(replicasMs !== undefined && { timeoutMs: replicasMs }) },
    }),
    ...(rules !== undefined && document),
    ...(rulesFile !== undefined && { rulesFile }),
    ...(apiKey !== undefined && { apiKey: checkedApiKey('LAUREL_API_KEY', apiKey) }),
  };
}

function redisFrom(variables: Variables): RedisOptions | undefined {
  const url = textOf(variables, 'REDIS_URL');
  const nodes = textOf(variables, 'REDIS_CLUSTER_NODES');
  if (nodes !== undefined) {
    if (url === undefined) return { nodes: nodes.split(',').map((node) => nodeFrom(node.trim(), nodes)) };
    throw variableError('REDIS_CLUSTER_NODES', nodes, 'REDIS_URL is set as well; keep one of the two');
  }
  return url === undefined ? undefined : { url: checkedRedisUrl('REDIS_URL', url) };
}

function nodeFrom(node: string, all: string): RedisNode {
  const [, host, port] = /^(\[[0-9a-fA-F:]+\]|[^\s:]+):(\d{1,5})$/.exec(node) ?? [];
  if (host !== undefined && Number(port) >= 1 && Number(port) <= 65_535) {
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
  }
  throw variableError('REDIS_CLUSTER_NODES', all, 'use host:port,host:port,… with ports from 1 to 65535');
}

function inSeconds([min, max]: readonly [number, number]): readonly [number, number] {
  return [min / 1_000, max / 1_000];
}
