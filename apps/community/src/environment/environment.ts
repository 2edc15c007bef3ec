import {
  activityEnvironment,
  type ActivityEnvironment,
  digits,
  optional,
  readVariables,
  secret,
  text,
  settlementEnvironment,
  unreadVariables,
  value,
  variableError,
  variableFault,
  type Variables,
  whole,
} from '@laurel/settings';
import type { CommunityOptions } from '../options/community.options';
import { isLogFormat } from '../logging/log';
import type { StopTimes } from '../lifecycle/stop-gracefully';
import { guardVariables, onOrOff } from './guard-variables';
import { authSecretFrom, weaknessesOf } from './secrets';

/** The app's configuration: its environment, read and checked once. */
export interface Environment extends CommunityOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** How long it takes to stop. */
  readonly stopTimes: StopTimes;
  /** Settings that suit a trial on one's own machine but not production: one line each. */
  readonly warnings: readonly string[];
}

/** Twice as many as there may be listeners to streams. */
export const defaultMaxConnections = 20_000;

const appVariables = {
  ...guardVariables,
  /** The address on which it listens. @defaultValue `127.0.0.1` */
  HOST: optional(
    text(/^[\w.:-]{1,255}$/, 'an address or a name of this machine, such as 127.0.0.1 or 0.0.0.0'),
    '127.0.0.1',
  ),
  /** The port on which it listens; 0 takes any free one. @defaultValue `3000` */
  PORT: optional(digits(whole(0, 65_535)), 3_000),
  /** Where PostgreSQL is: `postgres://user:password@host:port/database`. @defaultValue a private one */
  DATABASE_URL: optional(
    secret(
      (given) => /^postgres(?:ql)?:\/\//.test(given) && URL.canParse(given),
      'it may hold a password',
      'postgres://user:password@host:port/database',
    ),
  ),
  /** `production`: JSON logs, no private servers, a key for `/metrics` and `/docs`. @defaultValue none */
  NODE_ENV: optional(text(/\S/, 'production')),
  /** How many days after they were written recorded events are kept, for `replay`. @defaultValue `31` */
  LAUREL_OUTBOX_RETENTION_DAYS: optional(digits(whole(1, 36_500)), 31),
  /** Requests at once; more are refused with 503. Streams have a bound of their own. @defaultValue `256` */
  LAUREL_MAX_REQUESTS: optional(digits(whole(1, 100_000)), 256),
  /** Requests are refused with 503 while the event loop runs later than this. @defaultValue `500` */
  LAUREL_MAX_LATE_MS: optional(digits(whole(10, 60_000)), 500),
  /** Connections at once; more are closed. @defaultValue `20000` */
  LAUREL_MAX_CONNECTIONS: optional(digits(whole(1, 1_000_000)), defaultMaxConnections),
  /** The key of a Redis Stream by which other services send activities (`libs/ingest`). @defaultValue none */
  LAUREL_INGEST_STREAM: optional(
    text(/^[\w.:{}-]{1,128}$/, 'the key of a stream: 1 to 128 letters, digits and "_.:-{}"'),
  ),
  /** `on`: an article goes online when a moderator, who has `LAUREL_API_KEY`, has approved it. @defaultValue `off` */
  LAUREL_REVIEW_ARTICLES: optional(onOrOff, 'off'),
  /**
   * How lines of the log are written, `json` or `text`. Each line about a request has its `requestId`.
   * @defaultValue `json` in production, else `text`
   */
  LAUREL_LOG: optional(value(isLogFormat, 'json or text')),
  /** How long the process may take to end after SIGTERM or SIGINT. @defaultValue `25000` */
  LAUREL_SHUTDOWN_MS: optional(digits(whole(1_000, 3_600_000)), 25_000),
  /** How long requests are still accepted then, while readiness answers 503. @defaultValue `1000` */
  LAUREL_DRAIN_MS: optional(digits(whole(0, 1_800_000))),
};

/**
 * Reads the variables that docs/environment.md lists.
 * @throws ActivityError `invalidOption`, naming the variable, its value (secrets apart) and what is allowed.
 */
export function readEnvironment(variables: Variables): Environment {
  const { HOST: host, DATABASE_URL: databaseUrl, ...given } = readVariables(appVariables, variables);
  const { LAUREL_SHUTDOWN_MS: shutdownMs, LAUREL_DRAIN_MS: drainMs = Math.min(1_000, shutdownMs / 4) } = given;
  const { redis, ...activity } = activityEnvironment(variables);
  const authSecret = authSecretFrom(variables, host);
  if (redis === undefined)
    throw variableFault('REDIS_URL', 'is not set', 'name a Redis, such as redis://localhost:6379');
  if (databaseUrl === undefined) {
    throw variableFault('DATABASE_URL', 'is not set', 'name a PostgreSQL: postgres://user:password@host:port/database');
  }
  const throttle = {
    requestsPerMinute: given.LAUREL_THROTTLE_REQUESTS,
    signInsPerAddress: given.LAUREL_THROTTLE_SIGN_INS,
    triesPerName: given.LAUREL_THROTTLE_TRIES,
  };
  const { TRUST_PROXY: trustProxy, LAUREL_INGEST_STREAM: ingestStream } = given;
  return {
    host,
    port: given.PORT,
    databaseUrl,
    authSecret,
    outboxRetentionDays: given.LAUREL_OUTBOX_RETENTION_DAYS,
    loadBounds: { maxRequests: given.LAUREL_MAX_REQUESTS, maxLateMs: given.LAUREL_MAX_LATE_MS },
    ...(given.LAUREL_THROTTLE === 'on' && { throttle }),
    ...(trustProxy !== undefined && { trustProxy }),
    ...(ingestStream !== undefined && { ingestStream }),
    corsOrigins: given.CORS_ORIGINS ?? [],
    maxConnections: given.LAUREL_MAX_CONNECTIONS,
    reviewsArticles: isReviewing(given.LAUREL_REVIEW_ARTICLES, activity),
    closesOperations: given.NODE_ENV === 'production',
    stopTimes: checkedStopTimes({ drainMs, shutdownMs }),
    activity: { ...activity, redis },
    settlement: settlementEnvironment(variables),
    warnings: [...weaknessesOf(host, authSecret, activity.apiKey), ...unreadVariables(variables)],
  };
}

function checkedStopTimes(times: StopTimes): StopTimes {
  const { drainMs, shutdownMs } = times;
  if (drainMs * 2 < shutdownMs) return times;
  const advice = `use less than half of LAUREL_SHUTDOWN_MS, which is ${shutdownMs}`;
  throw variableError('LAUREL_DRAIN_MS', String(drainMs), advice);
}

/** Moderators have the API key: without one nothing would ever be approved. */
function isReviewing(given: 'on' | 'off', { apiKey, apiKeys }: ActivityEnvironment): boolean {
  if (given === 'off' || (apiKey ?? apiKeys) !== undefined) return given === 'on';
  throw variableError('LAUREL_REVIEW_ARTICLES', given, 'set LAUREL_API_KEY too, by which moderators approve articles');
}
