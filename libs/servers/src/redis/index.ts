/**
 * A Redis of one's own, without the other servers.
 * @module @laurel/servers/redis
 */
export { ServersError } from '../errors';
export { type RedisServer, startRedis } from './redis-server';
