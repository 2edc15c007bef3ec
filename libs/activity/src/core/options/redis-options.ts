import type { RedisClient } from '@laurel/leaderboard';

/** Where Redis is: one of four ways to reach it. */
export type RedisOptions = RedisServer | RedisCluster | RedisSentinels | RedisOwnClient;

/** How Redis lets the app in, and what nobody else reads on the way. */
export interface RedisAccess {
  /** The user of Redis' ACL. @defaultValue that of `url`, or `default` */
  readonly username?: string;
  /** Redis' password. @defaultValue that of `url`, or none */
  readonly password?: string;
  /** `true`: TLS, and a certificate that this system trusts; or its details. @defaultValue `true` with `rediss://` */
  readonly tls?: boolean | RedisTls;
}

/** Certificates of Redis and the app. */
export interface RedisTls {
  /** The authorities that are trusted, in PEM. @defaultValue the system's */
  readonly ca?: string;
  /** The app's own certificate in PEM, if Redis asks for one. It needs `key`. @defaultValue none */
  readonly cert?: string;
  /** The key of `cert`, in PEM. @defaultValue none */
  readonly key?: string;
  /** The name in Redis' certificate, if it is not the host of the address. @defaultValue the host */
  readonly servername?: string;
}

/** One server. */
export interface RedisServer extends RedisAccess {
  /** One server: `redis://host:port`, `rediss://host:port` or `unix:///path/of/redis.sock?db=0`. */
  readonly url: string;
}

/** A Redis Cluster. */
export interface RedisCluster extends RedisAccess {
  /** Some nodes of a Cluster: the others are found through them. */
  readonly nodes: readonly RedisNode[];
  /** Where servers are reached from here, by the `host:port` that they announce. @defaultValue none */
  readonly natMap?: NatMap;
}

/** A server that Sentinels watch: after a failover the app follows to the new master. */
export interface RedisSentinels extends RedisAccess {
  /** Some of the Sentinels that watch a server; `tls` is theirs as well. */
  readonly sentinels: readonly RedisNode[];
  /** The name under which they watch the master. */
  readonly name: string;
  /** The user of the Sentinels' ACL. @defaultValue none */
  readonly sentinelUsername?: string;
  /** The Sentinels' password. @defaultValue none */
  readonly sentinelPassword?: string;
  /** Where servers are reached from here, by the `host:port` that they announce. @defaultValue none */
  readonly natMap?: NatMap;
}

/** A client of the app's own, which stays the app's to close. */
export interface RedisOwnClient {
  /** Your own Redis or Cluster of ioredis, without a `keyPrefix`. You close it. */
  readonly client: RedisClient;
}

/** The address of a node of a Redis Cluster, or of a Sentinel. */
export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

/** Addresses by other addresses, `host:port`. */
export type NatMap = Readonly<Record<string, RedisNode>>;
