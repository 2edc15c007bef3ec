import { type Clock, systemClock, type WaitForReplicas } from '@laurel/leaderboard';
import { dayMs, longestShown } from '@laurel/leaderboard/internals';
import { Registry } from 'prom-client';
import { ActivityError } from '../errors/errors';
import { optionFault, shown } from '../errors/option-error';
import { defaultRules } from '../rules/default-rules';
import { limitsSchema, limitTypesSchema } from '../rules/limit-schema';
import { maxDecimals } from '../points/decimals';
import { rulesSchema } from '../rules/rule-schema';
import { grantFaults } from '../rules/rules-document';
import {
  anything,
  duration,
  type EntriesOf,
  flag,
  list,
  nullable,
  object,
  optional,
  read,
  type Schema,
  text,
  value,
  whole,
  withMethod,
  word,
} from '../schema/schema';
import {
  type ActivityModuleOptions,
  keyRights,
  type ObserverConfig,
  type RetentionConfig,
  weekStarts,
} from './activity.options';
import { defaultLeaderboards, leaderboardsSchema } from './leaderboard-schema';
import { redisSchema } from './redis-schema';
import { apiKey, apiKeys, cacheMs, commandTimeoutMs, maxClockSkewMs, prefix, shards, timezone as zone } from './values';

const kept = (days: number | null) => optional(nullable(duration), days && days * dayMs);
const retention = object(
  {
    ...{ hour: kept(7), day: kept(31), week: kept(182), month: kept(365), quarter: kept(730), year: kept(1_830) },
    ...{ all: kept(null), contest: kept(1_830), ledger: optional(nullable(duration)) },
  } satisfies EntriesOf<RetentionConfig>,
  { unknown: (given) => `is ${shown(given)}: its keys are` },
);

const observers = object({
  concurrency: optional(whole(1, 1_000), 8),
  maxWaiting: optional(whole(1, 1_000_000), 10_000),
  timeoutMs: optional(whole(100, 3_600_000), 30_000),
} satisfies EntriesOf<ObserverConfig>);

const waitForReplicas = object({
  replicas: whole(1, 10),
  timeoutMs: optional(whole(10, 60_000), 500),
} satisfies EntriesOf<WaitForReplicas>);

/** Each option by itself; those that depend on others are read after them. */
const fields = (decimals: number) =>
  object(
    {
      redis: redisSchema,
      prefix: optional(prefix, 'lr'),
      shards: optional(shards),
      timezone: optional(zone, 'UTC'),
      weekStart: optional(word(weekStarts), 'monday'),
      decimals: optional(whole(0, maxDecimals), 0),
      databaseId: optional(text(/^[^]{1,128}$/, 'text of 1 to 128 characters')),
      latenessMs: optional(duration, 3_600_000),
      clockSkewMs: optional(whole(0, maxClockSkewMs), 300_000),
      cacheMs: optional(cacheMs, 500),
      retentionMs: optional(retention, {}),
      leaderboards: anything,
      acceptChanges: anything,
      storesSettings: optional(flag, true),
      rules: optional(rulesSchema(decimals), defaultRules),
      limits: anything,
      limitTypes: optional(limitTypesSchema, []),
      firstDays: optional(flag, false),
      observers: optional(observers, {}),
      apiKey: optional(apiKey),
      apiKeys: optional(apiKeys, []),
      clock: optional(withMethod<Clock>('now', 'an object with a method now()'), systemClock),
      maxPending: optional(whole(1, 1_000_000), 10_000),
      recordTimeoutMs: optional(whole(100, 60_000), 5_000),
      commandTimeoutMs: optional(commandTimeoutMs, 900),
      waitForReplicas: optional(waitForReplicas),
      profileFields: optional(list(text(/^[^]{1,64}$/, 'the name of a field of profiles'), { max: 32 }), []),
      currentUser: optional(calling<CurrentUser>('a function from a request to a user id or null'), requestUser),
      isBot: optional(calling<IsBot>('a function from a user agent to true or false')),
      metricsRegistry: optional(withMethod<Registry>('registerMetric', 'a Registry of prom-client')),
    } satisfies Record<keyof ActivityModuleOptions, Schema<unknown>>,
    { unknown: () => 'is unknown: the options are' },
  );

const moduleName = optional(text(/^[a-z][a-z0-9-]{0,31}$/, '1 to 32 of a-z, 0-9 and "-", a letter first'));

/**
 * The options with every default filled in, checked and frozen. The one place that knows what is allowed.
 * @throws ActivityError `invalidOption`, naming each bad option, its value and what is allowed.
 */
export function resolveOptions(options: ActivityModuleOptions, name?: string) {
  for (const option of Object.keys(options)) {
    if (option === 'controllers' || option === 'isGlobal' || option === 'name') {
      throw optionFault(option, 'cannot be given by the factory', 'it shapes the module; give it beside useFactory');
    }
  }
  const { shards, retentionMs, latenessMs, apiKey: forAll, ...given } = read(fields(options.decimals ?? 0), options);
  const { decimals, weekStart, timezone, rules } = given;
  const actions = rules.map(({ action }) => action);
  const limits = read(optional(limitsSchema(actions, given), []), options.limits, 'limits');
  const defaults = { actions, retentionMs, latenessMs, timezone, weekStart, decimals };
  const boards = optional(leaderboardsSchema(defaults), defaultLeaderboards);
  const leaderboards = read(boards, options.leaderboards, 'leaderboards');
  const faults = grantFaults(rules, leaderboards);
  const [fault] = faults;
  if (fault) throw new ActivityError('invalidOption', `${fault.path} ${fault.message}`, { faults });
  const inForce = { leaderboards };
  const accepted = optional(list(word(leaderboards.map((board) => board.name))), []);
  return Object.freeze({
    ...given,
    /** Null: the process has no other module. */
    name: read(moduleName, name, 'name') ?? null,
    /** Null: as many as the data lies in, or as suit the servers. */
    shards: shards ?? null,
    ledgerRetentionMs:
      retentionMs.ledger === undefined
        ? longestShown(leaderboards.map(({ fedSpec, retentionMs: shown }) => ({ period: fedSpec, retentionMs: shown })))
        : retentionMs.ledger,
    /** Those of the options, and those that began since. */
    get leaderboards() {
      return inForce.leaderboards;
    },
    inForce,
    leaderboardDefaults: defaults,
    acceptChanges: read(accepted, options.acceptChanges, 'acceptChanges'),
    limits,
    apiKeys: [...(forAll === undefined ? [] : [{ name: 'api-key', key: forAll, may: keyRights }]), ...given.apiKeys],
    /** Who sent a request; null: nobody. */
    currentUser: given.currentUser,
    /** Null: Laurel's own list of user agents decides. */
    isBot: given.isBot ?? null,
    waitForReplicas: given.waitForReplicas ?? null,
    databaseId: given.databaseId ?? null,
    metricsRegistry: given.metricsRegistry ?? new Registry(),
  });
}

/** Who sent the request, by Nest's custom: the `id` of `request.user`, which a guard put there; null for nobody. */
function requestUser(request: unknown): string | null {
  const { user } = request as { readonly user?: { readonly id?: unknown } | null };
  const id = user?.id;
  if (typeof id === 'string' && id.length > 0) return id;
  return typeof id === 'number' ? String(id) : null;
}

type CurrentUser = NonNullable<ActivityModuleOptions['currentUser']>;
type IsBot = NonNullable<ActivityModuleOptions['isBot']>;

function calling<Called extends CurrentUser | IsBot>(allowed: string): Schema<Called> {
  return value((given): given is Called => typeof given === 'function', allowed);
}
