import type { Cluster, Redis } from 'ioredis';
import { invalidOption } from '../errors/errors';

/** A connection to one Redis or to a Cluster. */
export type RedisClient = Redis | Cluster;

/** Options that change the form of replies; the second is of ioredis 6. */
type Changing = { readonly stringNumbers?: boolean; readonly replyMapping?: string };

/**
 * Refuses a client with a `keyPrefix`: ioredis adds it to the keys of commands and scripts, but not to those of SCAN,
 * so audits, erasures and reshardings would miss keys. And one whose numbers come in another form.
 * @throws LeaderboardError `invalidOption`
 */
export function checkedClient(redis: RedisClient, instead: string): RedisClient {
  const { keyPrefix = '' } = redis.options;
  const own = redis.options as Changing & { readonly redisOptions?: Changing };
  if ([own, own.redisOptions].some((one) => one?.stringNumbers || one?.replyMapping === 'resp3'))
    throw invalidOption('The client has stringNumbers, or replyMapping "resp3": use a client without them.');
  if (keyPrefix.length === 0) return redis;
  throw invalidOption(
    `The client has keyPrefix ${JSON.stringify(String(keyPrefix))}: use a client without one, and ${instead}.`,
  );
}
