import { LeaderboardError, Period } from '@laurel/leaderboard';
import { checkedText, optionError, optionFault } from '../errors/check';

// What options may be, and in which words they are refused: by their own name, or by that of the environment variable
// that sets them.

/** How many shards there may be. */
export const allowedShards = [1, 1_024] as const;

/** How far in the future activities may be dated: up to a day. */
export const allowedClockSkewMs = [0, 86_400_000] as const;

/** How old a first page of standings may be: up to a minute. */
export const allowedCacheMs = [0, 60_000] as const;

/** How many days a rolling window may have. */
export const allowedRollingDays = [1, 366] as const;

/** How old a rolling window may be: up to an hour. */
export const allowedRefreshMs = [100, 3_600_000] as const;

/** The first part of every key. @throws ActivityError `invalidOption` */
export function checkedPrefix(name: string, prefix: unknown): string {
  return checkedText(name, prefix, /^[A-Za-z0-9_.:-]{1,64}$/, 'use 1 to 64 letters, digits and "_.:-"');
}

/** The zone in its canonical spelling. */
export function checkedTimezone(name: string, timezone: string): string {
  try {
    return Period.of('day', new Date(0), timezone).timezone;
  } catch (error) {
    if (!(error instanceof LeaderboardError)) throw error;
    throw optionError(name, timezone, 'use an IANA name such as "UTC" or "Asia/Shanghai"');
  }
}

/** Never shown: it is a secret. */
export function checkedApiKey(name: string, apiKey: unknown): string {
  if (typeof apiKey === 'string' && /^[\x21-\x7e]{1,512}$/.test(apiKey)) return apiKey;
  throw optionFault(
    name,
    'has a bad value (not shown: it is a secret)',
    'use 1 to 512 printable ASCII characters without spaces',
  );
}

/** Never shown: it may hold a password. */
export function checkedRedisUrl(name: string, url: unknown): string {
  if (typeof url === 'string' && /^rediss?:\/\//.test(url) && URL.canParse(url)) return url;
  throw optionFault(
    name,
    'has a bad value (not shown: it may hold a password)',
    'use redis://host:port or rediss://host:port',
  );
}
