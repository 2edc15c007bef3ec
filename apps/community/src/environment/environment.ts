import {
  activityEnvironment,
  type ActivityEnvironment,
  dataDirFrom,
  textOf,
  unreadVariables,
  variableError,
  variableFault,
  type Variables,
  wholeOf,
} from '@laurel/settings';
import type { LoadBounds } from '../options/load-bounds';
import type { TrustedProxies } from '../options/community.options';
import type { StopTimes } from '../lifecycle/stop-gracefully';
import type { ThrottleLimits } from '../options/throttle-limits';
import { corsOriginsFrom, throttleFrom, trustProxyFrom } from './guard-variables';
import { nearMisses } from './near-misses';
import { namePrivateServers } from './private-servers-named';
import { authSecretFrom, weaknessesOf } from './secrets';

/** What the app is configured by: its environment, read and checked once. */
export interface Environment {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Undefined: a private server under {@link dataDir}. */
  readonly databaseUrl: string | undefined;
  /** Where private servers keep their files. */
  readonly dataDir: string;
  /** Signs users' tokens. */
  readonly authSecret: string;
  /** How long events are kept in the outbox after they were handed over, so that they can be replayed. */
  readonly outboxRetentionDays: number;
  /** The load from which on requests are refused. */
  readonly loadBounds: LoadBounds;
  /** How many requests are taken from one user, address or name; undefined: any number. */
  readonly throttle: ThrottleLimits | undefined;
  /** The proxies whose `X-Forwarded-For` is believed; undefined: none. */
  readonly trustProxy: TrustedProxies | undefined;
  /** Foreign origins whose pages may send requests. */
  readonly corsOrigins: readonly string[];
  /** The most connections at once. */
  readonly maxConnections: number;
  /** Key of the Redis Stream by which other services send activities; undefined: none is read. */
  readonly ingestStream: string | undefined;
  /** How long it takes to stop. */
  readonly stopTimes: StopTimes;
  /** What the ranking module is told; without `redis` a private server is started. */
  readonly activity: ActivityEnvironment;
  /** What suits a trial on one's own machine but not production: one line each. */
  readonly warnings: readonly string[];
}

/** A month, as ledgers are kept by default: what is older could not be recorded again. */
export const defaultOutboxRetentionDays = 31;

/** Twice as many as there may be listeners to streams. */
export const defaultMaxConnections = 20_000;

/** How variables are read. */
export interface ReadOptions {
  /** Whether private servers are wanted where none are named; if not, each is warned of. Default: false. */
  readonly arePrivateServersMeant?: boolean;
}

/**
 * Reads the variables that README.md lists.
 * @throws ActivityError `invalidOption`, naming the variable, its value (secrets apart) and what is allowed.
 */
export function readEnvironment(
  variables: Variables,
  { arePrivateServersMeant = false }: ReadOptions = {},
): Environment {
  const host = hostFrom(variables);
  const activity = activityEnvironment(variables);
  const misses = nearMisses(variables);
  const authSecret = authSecretFrom(variables, host, misses);
  const databaseUrl = databaseUrlFrom(variables);
  const dataDir = dataDirFrom(variables);
  const missing = { redis: activity.redis === undefined, database: databaseUrl === undefined };
  const missingServers = arePrivateServersMeant ? [] : namePrivateServers(variables, { missing, dataDir, misses });
  return {
    host,
    port: wholeOf(variables, 'PORT', [0, 65_535]) ?? 3_000,
    databaseUrl,
    dataDir,
    authSecret,
    outboxRetentionDays: wholeOf(variables, 'LAUREL_OUTBOX_RETENTION_DAYS', [1, 36_500]) ?? defaultOutboxRetentionDays,
    loadBounds: {
      maxRequests: wholeOf(variables, 'LAUREL_MAX_REQUESTS', [1, 100_000]) ?? 256,
      maxLateMs: wholeOf(variables, 'LAUREL_MAX_LATE_MS', [10, 60_000]) ?? 500,
    },
    throttle: throttleFrom(variables),
    trustProxy: trustProxyFrom(variables),
    corsOrigins: corsOriginsFrom(variables),
    maxConnections: wholeOf(variables, 'LAUREL_MAX_CONNECTIONS', [1, 1_000_000]) ?? defaultMaxConnections,
    ingestStream: ingestStreamFrom(variables),
    stopTimes: stopTimesFrom(variables),
    activity,
    warnings: [
      ...weaknessesOf({ host, authSecret, apiKey: activity.apiKey }),
      ...missingServers,
      ...misses,
      ...unreadVariables(variables),
    ],
  };
}

function hostFrom(variables: Variables): string {
  const host = textOf(variables, 'HOST') ?? '127.0.0.1';
  if (/^[\w.:-]{1,255}$/.test(host)) return host;
  throw variableError('HOST', host, 'use an address or a name of this machine, such as 127.0.0.1 or 0.0.0.0');
}

function ingestStreamFrom(variables: Variables): string | undefined {
  const stream = textOf(variables, 'LAUREL_INGEST_STREAM');
  if (stream === undefined || /^[\w.:{}-]{1,128}$/.test(stream)) return stream;
  throw variableError('LAUREL_INGEST_STREAM', stream, 'use the key of a stream: 1 to 128 letters, digits and "_.:-{}"');
}

function stopTimesFrom(variables: Variables): StopTimes {
  const shutdownMs = wholeOf(variables, 'LAUREL_SHUTDOWN_MS', [1_000, 3_600_000]) ?? 25_000;
  const drainMs = wholeOf(variables, 'LAUREL_DRAIN_MS', [0, 1_800_000]) ?? Math.min(1_000, shutdownMs / 4);
  if (drainMs * 2 < shutdownMs) return { drainMs, shutdownMs };
  throw variableError(
    'LAUREL_DRAIN_MS',
    String(drainMs),
    `use less than half of LAUREL_SHUTDOWN_MS, which is ${shutdownMs}`,
  );
}

function databaseUrlFrom(variables: Variables): string | undefined {
  const url = textOf(variables, 'DATABASE_URL');
  if (url === undefined || (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url))) return url;
  throw variableFault(
    'DATABASE_URL',
    'has a bad value (not shown: it may hold a password)',
    'use postgres://user:password@host:port/database',
  );
}
