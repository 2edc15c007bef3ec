import {
  apiKey,
  apiKeys,
  cacheMs,
  commandTimeoutMs,
  digits,
  longestMs,
  maxClockSkewMs,
  maxDecimals,
  prefix,
  type Schema,
  shards,
  text,
  timezone,
  optional,
  whole,
} from '@laurel/activity/internals';
import { retention } from './retention-variable';

const seconds = (mostMs: number) => optional(digits(whole(0, mostMs / 1_000)));

/** A value as JSON. */
const asJson =
  <Output>(schema: Schema<Output>): Schema<Output> =>
  (given, place) => {
    try {
      return schema(JSON.parse(String(given)), place);
    } catch {
      return place.fault('is no JSON (not shown: it has secrets).');
    }
  };

/** The variables that the module's options are read from, but for those of `redis`. */
export const activityVariables = {
  /** First part of every Redis key. @defaultValue `lr` */
  LAUREL_PREFIX: optional(prefix),
  /** How many shards the users are spread over. @defaultValue those of the data; for new data 1, 16 on a Cluster */
  LAUREL_SHARDS: optional(digits(shards)),
  /** The IANA zone in which days, weeks and months are cut. @defaultValue `UTC` */
  LAUREL_TIMEZONE: optional(timezone),
  /** How many decimals points have, 0 to 2. Fixed for the data of a prefix. @defaultValue `0` */
  LAUREL_DECIMALS: optional(digits(whole(0, maxDecimals))),
  /** How many seconds after its end a period accepts late activities. @defaultValue `3600` */
  LAUREL_LATENESS_S: seconds(longestMs),
  /** How many seconds in the future an activity may be dated. @defaultValue `300` */
  LAUREL_CLOCK_SKEW_S: seconds(maxClockSkewMs),
  /** How old a first page of standings may be. @defaultValue `500` */
  LAUREL_CACHE_MS: optional(digits(cacheMs)),
  /** How long a read waits at most for one answer of Redis, the archive or the user directory. @defaultValue `900` */
  LAUREL_COMMAND_TIMEOUT_MS: optional(digits(commandTimeoutMs)),
  /**
   * For how many days after its end each is kept: `day=none` keeps it, `none` alone keeps all.
   * @defaultValue `hour=7,day=31,week=182,month=365,quarter=730,year=1830`, `ledger` as long as a board shows its
   * points
   */
  LAUREL_RETENTION: optional(retention),
  /**
   * Key of the service-to-service routes, of 16 characters or more. Without one they answer 403.
   * @defaultValue none; the demo makes one
   */
  LAUREL_API_KEY: optional(apiKey),
  /**
   * Further keys as JSON, `[{ "name": "ci", "key": "…", "may": ["record"] }]`: each may `read`, `record` or `operate`.
   * @defaultValue none
   */
  LAUREL_API_KEYS: optional(asJson(apiKeys)),
  /** How many replicas have an activity before it is acknowledged. @defaultValue `0` */
  LAUREL_WAIT_REPLICAS: optional(digits(whole(0, 10)), 0),
  /** How long a try waits for them. @defaultValue `500` */
  LAUREL_WAIT_REPLICAS_MS: optional(digits(whole(10, 60_000))),
  /** Rules and limits as JSON. @defaultValue none */
  LAUREL_RULES: optional(text(/\S/, 'rules and limits as JSON')),
};
