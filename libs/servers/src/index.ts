export { findChromium } from './chromium';
export { ServersError, type ServersErrorCode } from './errors';
export { findRunningRedis } from './redis/data-lock';
export { findOrInstallRedis } from './redis/find-redis';
export { findRunningPostgres } from './postgres/running';
export { type PostgresServer, type PostgresServerOptions, startPostgres } from './postgres/postgres-server';
export { type RedisCluster, type RedisClusterOptions, startRedisCluster } from './redis/redis-cluster';
export type { SlotMove } from './redis/slot-move';
export { type RedisServer, type RedisServerOptions, startRedis } from './redis/redis-server';
