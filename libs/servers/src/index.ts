export { ServersError, type ServersErrorCode } from './errors';
export { findOrInstallRedis } from './redis/find-redis';
export { type RedisServer, type RedisServerOptions, startRedis } from './redis/redis-server';
