import type { RedisClient } from '@laurel/leaderboard';
import { Cluster, Redis, type RedisOptions as ClientOptions } from 'ioredis';
import type { RedisAccess, RedisOptions } from '../options/redis-options';
import { MasterConnector, ServerConnector } from './connectors';

/** How a client behaves while Redis is away, as ioredis calls it. */
export type ClientManner = Partial<Omit<ReturnType<typeof failingFast>, 'retryStrategy'>> & {
  /** How long it waits before it tries again to connect; null: it gives up. */
  readonly retryStrategy: (attempt: number) => number | null;
};

/**
 * Fails fast: while Redis is away no command waits in the client. A connection that does not answer a command in time
 * is replaced.
 */
export function failingFast(commandTimeoutMs: number) {
  return {
    enableOfflineQueue: false,
    retryStrategy: soonThenOften,
    connectTimeout: 2_000,
    commandTimeout: commandTimeoutMs,
    socketTimeout: commandTimeoutMs,
    sentinelCommandTimeout: commandTimeoutMs,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
  } satisfies ClientOptions;
}

/** Makes the client that the options describe, not yet connected; a client given is taken as it is. */
export function createClient(options: RedisOptions, manner: ClientManner): RedisClient {
  if ('client' in options) return options.client;
  const { enableOfflineQueue = true, retryStrategy, ...bounds } = manner;
  const connection = { ...bounds, ...accessOf(options), lazyConnect: true, Connector: ServerConnector };
  if ('url' in options) {
    const { url, ofUrl } = addressIn(options.url);
    const given = { ...ofUrl, ...connection, enableOfflineQueue, retryStrategy };
    return url === null ? new Redis(given) : new Redis(url, given);
  }
  const nat = options.natMap && { natMap: { ...options.natMap } };
  if ('sentinels' in options) {
    const { sentinels, name, sentinelUsername, sentinelPassword } = options;
    return new Redis({
      ...{ ...connection, ...nat, sentinels: [...sentinels], name, enableOfflineQueue, retryStrategy },
      Connector: MasterConnector,
      ...(sentinelUsername !== undefined && { sentinelUsername }),
      ...(sentinelPassword !== undefined && { sentinelPassword }),
      ...(connection.tls && { sentinelTLS: connection.tls, enableTLSForSentinelMode: true }),
      sentinelRetryStrategy: retryStrategy,
    });
  }
  return new Cluster([...options.nodes], {
    ...{ ...nat, lazyConnect: true, enableOfflineQueue, clusterRetryStrategy: retryStrategy },
    // Certificates have the names of nodes, which ioredis would turn into addresses.
    ...(connection.tls && { dnsLookup: (name, done) => done(null, name) }),
    redisOptions: connection,
  });
}

/** User, password and TLS, as far as they are given. */
function accessOf(options: RedisAccess): Pick<ClientOptions, 'username' | 'password' | 'tls'> {
  const { username, password, tls } = options;
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls && { tls: tls === true ? {} : { ...tls } }),
  };
}

/** The options of ioredis, with a url or in place of it. */
type UrlOptions = Pick<ClientOptions, 'path' | 'db' | 'username' | 'password'>;

/**
 * A url as ioredis takes it. It knows none of Unix sockets; and a user in it would bring an empty password, which wins
 * over one that is given beside it.
 */
function addressIn(given: string): { readonly url: string | null; readonly ofUrl: UrlOptions } {
  const url = new URL(given);
  const { protocol, pathname, searchParams } = url;
  if (protocol === 'unix:') {
    return { url: null, ofUrl: { path: decodeURIComponent(pathname), db: Number(searchParams.get('db') ?? 0) } };
  }
  const [username, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  [url.username, url.password] = ['', ''];
  return { url: url.href, ofUrl: { ...(username && { username }), ...(password && { password }) } };
}

/** For ever: an app outlives its Redis. Quickly at first, then once a second, with some jitter against stampedes. */
function soonThenOften(attempt: number): number {
  return Math.min(50 * 2 ** Math.min(attempt - 1, 5), 1_000) + Math.floor(Math.random() * 100);
}
