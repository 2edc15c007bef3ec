import {
  apiKey,
  cacheMs,
  digits,
  longestMs,
  maxClockSkewMs,
  maxDecimals,
  prefix,
  shards,
  text,
  timezone,
  optional,
  whole,
} from '@laurel/activity/internals';
import { retention } from './retention-variable';

const seconds = (mostMs: number) => optional(digits(whole(0, mostMs / 1_000)));

/** The variables that the module's options are read from, but for those of `redis`. */
export const activityVariables = {
  LAUREL_PREFIX: optional(prefix),
  LAUREL_SHARDS: optional(digits(shards)),
  LAUREL_TIMEZONE: optional(timezone),
  LAUREL_DECIMALS: optional(digits(whole(0, maxDecimals))),
  LAUREL_LATENESS_S: seconds(longestMs),
  LAUREL_CLOCK_SKEW_S: seconds(maxClockSkewMs),
  LAUREL_CACHE_MS: optional(digits(cacheMs)),
  LAUREL_RETENTION: optional(retention),
  LAUREL_API_KEY: optional(apiKey),
  LAUREL_WAIT_REPLICAS: optional(digits(whole(0, 10)), 0),
  LAUREL_WAIT_REPLICAS_MS: optional(digits(whole(10, 60_000))),
  LAUREL_RULES: optional(text(/\S/, 'rules and limits as JSON')),
  LAUREL_RULES_FILE: optional(text(/\S/, 'the path of a JSON file')),
};
