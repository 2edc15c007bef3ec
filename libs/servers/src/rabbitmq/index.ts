/**
 * A RabbitMQ of one's own, without the other servers.
 * @module @laurel/servers/rabbitmq
 */
export { type RabbitMqServer, startRabbitMq } from './rabbitmq-server';
