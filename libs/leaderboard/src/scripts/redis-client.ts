import type { Cluster, Redis } from 'ioredis';

/** A connection to one Redis or to a Cluster. */
export type RedisClient = Redis | Cluster;
