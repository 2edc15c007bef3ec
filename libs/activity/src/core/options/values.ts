import { LeaderboardError, Period } from '@laurel/leaderboard';
import {
  type EntriesOf,
  isObject,
  list,
  object,
  optional,
  secret,
  text,
  type Schema,
  value,
  whole,
  word,
} from '../schema/schema';
import { type ApiKeyConfig, keyRights, type Visibility } from './activity.options';

// Settings of options and of environment variables alike.

/** How many shards there may be. */
export const shards = whole(1, 1_024);

/** How far in the future activities may be dated: up to a day. */
export const maxClockSkewMs = 86_400_000;

/** How old a first page of standings may be: up to a minute. */
export const cacheMs = whole(0, 60_000);
/** How long an answer may be waited for. */
export const commandTimeoutMs = whole(100, 60_000);

/** The first part of every key. */
export const prefix = text(/^[A-Za-z0-9_.:-]{1,64}$/, '1 to 64 letters, digits and "_.:-"');

/** A zone, in its canonical spelling. */
export const timezone: Schema<string> = (given, place) => {
  try {
    return Period.of('day', new Date(0), given as string).timezone;
  } catch (error) {
    if (!(error instanceof LeaderboardError)) throw error;
    return place.expect(given, 'an IANA name such as "UTC" or "Asia/Shanghai"');
  }
};

/** Readers who may see something. */
export const visibility = <Asked extends { readonly viewer: string | null }>(): Schema<Visibility<Asked>> =>
  value(
    (given): given is Visibility<Asked> =>
      typeof given === 'function' || ['all', 'signed-in', 'nobody'].includes(given as string),
    '"all", "signed-in", "nobody" or a function',
  );

/** A key of so many characters or more. */
const key = (min: number) =>
  secret(
    (given) => given.length >= min && /^[\x21-\x7e]{1,512}$/.test(given),
    'it is a secret',
    `${min} to 512 printable ASCII characters without spaces`,
  );

/** The key of the service-to-service routes. */
export const apiKey = key(1);

const named = list(
  object({
    name: secret((given) => /^[a-z0-9_-]{1,64}$/.test(given), 'it may be a key', '1 to 64 of a-z, 0-9, "-" and "_"'),
    key: key(16),
    may: optional(list(word(keyRights)), keyRights),
  } satisfies EntriesOf<ApiKeyConfig>),
  { max: 100, unique: [{ property: 'name', advice: 'name each key once' }] },
);

/** Keys with names. */
export const apiKeys: typeof named = (given, place) =>
  Array.isArray(given) && given.every(isObject)
    ? named(given, place)
    : place.fault('has a bad value (not shown: it has secrets): use a list of objects with name, key and may.');
