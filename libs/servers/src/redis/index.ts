/**
 * A Redis of one's own, without the other servers.
 * @module @laurel/servers/redis
 */
export { type RedisServer, startRedis } from './redis-server';
