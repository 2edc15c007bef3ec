import {
  apiKey,
  cacheMs,
  digits,
  longestMs,
  maxClockSkewMs,
  prefix,
  type RedisNode,
  redisUrl,
  type Schema,
  shards,
  text,
  timezone,
  optional,
  whole,
} from '@laurel/activity/internals';
import { retention } from './retention-variable';

const seconds = (mostMs: number) => optional(digits(whole(0, mostMs / 1_000)));

const nodes: Schema<readonly RedisNode[]> = (given, place) => {
  const read = String(given)
    .split(',')
    .map((node) => nodeOf(node.trim()));
  return read.includes(null)
    ? place.expect(given, 'host:port,host:port,… with ports from 1 to 65535')
    : read.filter((node) => node !== null);
};

function nodeOf(node: string): RedisNode | null {
  const [, host, port] = /^(\[[0-9a-fA-F:]+\]|[^\s:]+):(\d{1,5})$/.exec(node) ?? [];
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) return null;
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

/** The variables that the module's options are read from. */
export const activityVariables = {
  REDIS_URL: optional(redisUrl),
  REDIS_CLUSTER_NODES: optional(nodes),
  LAUREL_PREFIX: optional(prefix),
  LAUREL_SHARDS: optional(digits(shards)),
  LAUREL_TIMEZONE: optional(timezone),
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
