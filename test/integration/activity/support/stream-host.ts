import { ActivityModule, ActivityService, LiveModule } from '@laurel/activity';
import { problemFastifyOptions } from '@laurel/activity/http';
import { NestFactory } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';

/** What the test asks of the process. */
export type HostRequest = { readonly ask: 'memory' } | { readonly ask: 'record'; readonly userId: string };

/** The memory of the process after a collection: what its objects and buffers take, and what it has of the machine. */
export interface HostMemory {
  readonly heapMb: number;
  readonly residentMb: number;
}

/** What the process says: where it listens, its memory, or that it is done. */
export type HostAnswer = { readonly url: string } | HostMemory | { readonly done: true };

const mb = 1_048_576;

/** An app with streams alone, whose memory and answers a test looks at from outside. */
async function host(): Promise<void> {
  const [url = '', prefix = ''] = process.argv.slice(1);
  const app = await NestFactory.create<NestFastifyApplication>(
    LiveModule.forRoot({
      activity: ActivityModule.forRoot({ imports: [EventEmitterModule.forRoot()], redis: { url }, prefix }),
      maxPerAddress: 100_000,
    }),
    new FastifyAdapter({ ...problemFastifyOptions }),
    { logger: false },
  );
  app.enableShutdownHooks();
  await app.listen(0, '127.0.0.1');
  const activities = app.get(ActivityService);
  const say = (answer: HostAnswer) => process.send?.(answer);
  process.on('message', (request: HostRequest) => {
    if (request.ask === 'memory') {
      // Twice: what the first collection lets go of, the second one clears away.
      globalThis.gc?.();
      globalThis.gc?.();
      const { heapUsed, external, rss } = process.memoryUsage();
      say({ heapMb: (heapUsed + external) / mb, residentMb: rss / mb });
    } else {
      const { userId } = request;
      void activities.record({ userId, action: 'publish', subject: `of ${userId}` }).then(() => say({ done: true }));
    }
  });
  say({ url: await app.getUrl() });
}

void host();
