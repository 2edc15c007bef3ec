import { ActivityModule, LiveModule } from '@laurel/activity';
import { problemFastifyOptions } from '@laurel/activity/http';
import { NestFactory } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';

/** An app with streams alone, as the module has them by default: the board is read once a second. */
async function main(): Promise<void> {
  const { PORT, REDIS_URL: url = '', BENCH_API_KEY: apiKey = '' } = process.env;
  const activity = ActivityModule.forRoot({ imports: [EventEmitterModule.forRoot()], redis: { url }, apiKey });
  const app = await NestFactory.create<NestFastifyApplication>(
    LiveModule.forRoot({ activity, maxPerAddress: 100_000 }),
    new FastifyAdapter({ ...problemFastifyOptions }),
    { logger: false },
  );
  await app.listen(Number(PORT), '127.0.0.1');
}

process.once('SIGTERM', () => process.exit(0));
void main();
