export { findChromium } from './chromium';
export { ServersError } from './errors';
export { findRunningRedis } from './redis/data-lock';
export { findOrInstallRedis } from './redis/find-redis';
export { findRunningPostgres } from './postgres/running';
export { type PostgresServer, startPostgres } from './postgres/postgres-server';
export { type RedisCluster, type RedisClusterOptions, startRedisCluster } from './redis/redis-cluster';
export { type CertificateFiles, type RedisServer, type RedisServerOptions, startRedis } from './redis/redis-server';
export { type Sentinel, startSentinel } from './redis/sentinel';
