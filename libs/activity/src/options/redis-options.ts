import type { RedisClient } from '@laurel/leaderboard';

/** Where Redis is: one of four ways to reach it. */
export type RedisOptions = RedisServer | RedisCluster | RedisSentinels | RedisOwnClient;

/** How Redis lets the app in, and what nobody else reads on the way. */
export interface RedisAccess {
  /** The user of Redis' ACL. Default: the one named `default`. */
  readonly username?: string;
  readonly password?: string;
  /** `true`: TLS, and a certificate that this system trusts. Default: none, but with `rediss://`. */
  readonly tls?: boolean | RedisTls;
}

/** What certificates Redis and the app show each other. */
export interface RedisTls {
  /** The authorities that are trusted, in PEM, in place of the system's. */
  readonly ca?: string;
  /** The app's own certificate in PEM, where Redis asks for one, and `key`. */
  readonly cert?: string;
  readonly key?: string;
  /** The name that Redis' certificate has, where it is not the host of the address. */
  readonly servername?: string;
}

/** One server: `redis://host:port`, `rediss://host:port` or `unix:///path/of/redis.sock?db=0`. */
export interface RedisServer extends RedisAccess {
  readonly url: string;
}

/** A Redis Cluster. */
export interface RedisCluster extends RedisAccess {
  /** Some of its nodes: the others are found through them. */
  readonly nodes: readonly RedisNode[];
  /** Where nodes are reached from here, by the `host:port` that the Cluster announces. */
  readonly natMap?: NatMap;
}

/** A server that Sentinels watch: after a failover the app follows to the new master. */
export interface RedisSentinels extends RedisAccess {
  /** Some of them; `tls` is theirs as well. */
  readonly sentinels: readonly RedisNode[];
  /** The name under which they watch the master. */
  readonly name: string;
  readonly sentinelUsername?: string;
  readonly sentinelPassword?: string;
  /** Where servers are reached from here, by the `host:port` that Sentinels announce. */
  readonly natMap?: NatMap;
}

/** A client of the app's own, which stays the app's to close. */
export interface RedisOwnClient {
  readonly client: RedisClient;
}

/** The address of a node of a Redis Cluster, or of a Sentinel. */
export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

/** Addresses by other addresses, `host:port`. */
export type NatMap = Readonly<Record<string, RedisNode>>;
