/**
 * A RabbitMQ of one's own, without the other servers.
 * @module @laurel/servers/rabbitmq
 */
export { findOrInstallRabbitMq, type RabbitMqServer, startRabbitMq } from './rabbitmq-server';
