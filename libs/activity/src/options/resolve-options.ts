import { systemClock } from '@laurel/leaderboard';
import { Registry } from 'prom-client';
import { weekStarts, type ActivityModuleOptions, type RedisOptions } from './activity.options';
import { requestUser } from './request-user';
import type { DefinedLimit } from '../rules/limit-type';
import { resolveObservers } from './resolve-observers';
import { defaultRules } from '../rules/default-rules';
import {
  allowedCacheMs,
  allowedClockSkewMs,
  allowedShards,
  checkedApiKey,
  checkedPrefix,
  checkedRedisUrl,
  checkedTimezone,
} from './allowed';
import {
  anyDuration,
  checkedList,
  checkedText,
  checkedWhole,
  checkedWord,
  optionError,
  optionFault,
} from '../errors/check';
import { defaultLeaderboards, resolveLeaderboards } from './resolve-leaderboards';
import { resolveLimits, resolveLimitTypes } from '../rules/resolve-limits';
import { resolveRetention } from './resolve-retention';
import { resolveRules } from '../rules/resolve-rules';
import { readRulesFile, type RulesFile } from '../rules/rules-option';
import { resolveReplicas } from './resolve-replicas';
import type { ActivitySettings } from './settings';

const names = new Set<string>([
  'redis',
  'prefix',
  'shards',
  'timezone',
  'weekStart',
  'latenessMs',
  'clockSkewMs',
  'cacheMs',
  'retentionMs',
  'leaderboards',
  'acceptChanges',
  'storesSettings',
  'rules',
  'limits',
  'limitTypes',
  'rulesFile',
  'firstDays',
  'observers',
  'apiKey',
  'clock',
  'maxPending',
  'recordTimeoutMs',
  'waitForReplicas',
  'currentUser',
  'metricsRegistry',
] satisfies (keyof ActivityModuleOptions)[]);

/** What were options of this module, and the modules that take them now. */
const movedTo = new Map([
  ['settlement', 'SettlementModule'],
  ['titles', 'TitlesModule'],
  ['streams', 'LiveModule'],
]);

/**
 * The options with every default filled in, checked and frozen. The one place that knows what is allowed.
 * @throws ActivityError `invalidOption`, naming the option, its value and what is allowed.
 */
export function resolveOptions(options: ActivityModuleOptions, name?: string): ActivitySettings {
  for (const option of Object.keys(options)) {
    if (option === 'controllers' || option === 'isGlobal' || option === 'name') {
      throw optionFault(option, 'cannot be given by the factory', 'it shapes the module; give it beside useFactory');
    }
    const module = movedTo.get(option);
    if (module) throw optionFault(option, `is an option of ${module}`, `give it to ${module}.forRoot`);
    if (!names.has(option)) throw optionFault(option, 'is unknown', `the options are ${[...names].join(', ')}`);
  }
  const redis = checkedRedis(options.redis);
  const {
    prefix = 'lr',
    shards = isCluster(redis) ? 16 : 1,
    timezone = 'UTC',
    weekStart = 'monday',
    latenessMs = 3_600_000,
    clockSkewMs = 300_000,
    cacheMs = 500,
    maxPending = 10_000,
    recordTimeoutMs = 5_000,
    clock = systemClock,
    currentUser = requestUser,
    apiKey = null,
    storesSettings = true,
    firstDays = false,
  } = options;
  const retention = resolveRetention(options.retentionMs);
  const limitTypes = resolveLimitTypes(checkedList('limitTypes', options.limitTypes ?? []));
  const file = rulesFileOf(options, limitTypes);
  const rules = file?.rules ?? resolveRules(checkedList('rules', options.rules ?? defaultRules));
  const actions = rules.map(({ action }) => action);
  const leaderboards = resolveLeaderboards(checkedList('leaderboards', options.leaderboards ?? defaultLeaderboards), {
    actions,
    retention,
    timezone: checkedTimezone('timezone', timezone),
    weekStart: checkedWord('weekStart', weekStart, weekStarts),
    latenessMs: checkedWhole('latenessMs', latenessMs, anyDuration),
  });
  if (typeof firstDays !== 'boolean') throw optionError('firstDays', firstDays, 'use true or false');
  if (typeof storesSettings !== 'boolean') throw optionError('storesSettings', storesSettings, 'use true or false');
  if (typeof currentUser !== 'function') {
    throw optionError('currentUser', currentUser, 'use a function from a request to a user id or null');
  }
  if (typeof clock.now !== 'function') throw optionError('clock', clock, 'use an object with a method now()');
  return Object.freeze({
    name:
      name === undefined
        ? null
        : checkedText('name', name, /^[a-z][a-z0-9-]{0,31}$/, 'use 1 to 32 of a-z, 0-9 and "-", a letter first'),
    redis,
    prefix: checkedPrefix('prefix', prefix),
    shards: checkedWhole('shards', shards, allowedShards),
    hasOwnShards: options.shards !== undefined,
    timezone: checkedTimezone('timezone', timezone),
    weekStart,
    clockSkewMs: checkedWhole('clockSkewMs', clockSkewMs, allowedClockSkewMs),
    cacheMs: checkedWhole('cacheMs', cacheMs, allowedCacheMs),
    ledgerRetentionMs: retention.ledger,
    leaderboards,
    acceptChanges: resolveAccepted(options.acceptChanges ?? [], leaderboards),
    storesSettings,
    rules,
    limits: file?.limits ?? resolveLimits(checkedList('limits', options.limits ?? []), { actions, types: limitTypes }),
    limitTypes,
    rulesFile: file && Object.freeze({ path: file.path, text: file.text }),
    firstDays,
    observers: resolveObservers(options.observers),
    apiKey: apiKey === null ? null : checkedApiKey('apiKey', apiKey),
    clock,
    maxPending: checkedWhole('maxPending', maxPending, [1, 1_000_000]),
    recordTimeoutMs: checkedWhole('recordTimeoutMs', recordTimeoutMs, [100, 60_000]),
    waitForReplicas: resolveReplicas(options.waitForReplicas),
    currentUser,
    metricsRegistry: options.metricsRegistry ?? new Registry(),
  });
}

function resolveAccepted(names: readonly string[], leaderboards: ActivitySettings['leaderboards']): readonly string[] {
  const known = leaderboards.map(({ name }) => name);
  checkedList('acceptChanges', names).forEach((name, index) => checkedWord(`acceptChanges[${index}]`, name, known));
  return Object.freeze([...names]);
}

/** The rules of `rulesFile`, where it is given. */
function rulesFileOf(
  { rulesFile, rules, limits }: ActivityModuleOptions,
  types: readonly DefinedLimit[],
): RulesFile | null {
  if (rulesFile === undefined) return null;
  const path = checkedText('rulesFile', rulesFile, /\S/, 'use the path of a JSON file');
  if (rules ?? limits) throw optionError('rulesFile', path, 'rules or limits are given as well; keep one of the two');
  return readRulesFile('rulesFile', path, types);
}

function isCluster(redis: RedisOptions): boolean {
  return 'client' in redis ? redis.client.isCluster : 'nodes' in redis;
}

function checkedRedis(redis: RedisOptions | undefined): RedisOptions {
  const allowed = 'use { url: "redis://…" }, { nodes: [{ host, port }, …] } or { client }';
  if (typeof redis !== 'object' || redis === null || Object.keys(redis).length !== 1) {
    throw optionError('redis', redis === undefined ? undefined : Object.keys(redis ?? {}), allowed);
  }
  if ('url' in redis) {
    checkedRedisUrl('redis.url', redis.url);
    return redis;
  }
  if ('client' in redis) {
    if (typeof redis.client?.evalsha !== 'function') {
      throw optionError('redis.client', typeof redis.client, 'use a Redis or Cluster of ioredis');
    }
    const { keyPrefix = '' } = redis.client.options;
    if (keyPrefix.length === 0) return redis;
    throw optionFault(
      'redis.client',
      `has the keyPrefix ${JSON.stringify(String(keyPrefix))}`,
      'use a client without one, and set the option prefix',
    );
  }
  if (!('nodes' in redis)) throw optionError('redis', Object.keys(redis), allowed);
  const nodes = checkedList('redis.nodes', redis.nodes);
  if (nodes.length === 0) throw optionError('redis.nodes', nodes, 'name at least one node');
  nodes.forEach(({ host, port }, index) => {
    checkedText(`redis.nodes[${index}].host`, host, /^\S+$/, 'use a host name or an address');
    checkedWhole(`redis.nodes[${index}].port`, port, [1, 65_535]);
  });
  return redis;
}
