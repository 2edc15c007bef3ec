import { NestFactory } from '@nestjs/core';
import { type MicroserviceOptions, Transport } from '@nestjs/microservices';
import { connect } from 'amqplib';
import { AppModule } from './app.module';

const url = process.env.RABBITMQ_URL ?? 'amqp://localhost:5672';
const queue = process.env.QUEUE ?? 'activities';
const refused = `${queue}.refused`;

async function main(): Promise<void> {
  // What can never be recorded lies there until an operator looks at it.
  const connection = await connect(url);
  const channel = await connection.createChannel();
  await channel.assertQueue(refused, { durable: true });
  await connection.close();
  const app = await NestFactory.create(AppModule);
  app.connectMicroservice<MicroserviceOptions>({
    transport: Transport.RMQ,
    options: {
      urls: [url],
      queue,
      noAck: false,
      prefetchCount: 64,
      queueOptions: { durable: true, deadLetterExchange: '', deadLetterRoutingKey: refused },
    },
  });
  app.enableShutdownHooks();
  await app.startAllMicroservices();
  await app.listen(process.env.PORT ?? 3000, '127.0.0.1');
  console.log(`Listening on ${await app.getUrl()}`);
}

void main();
