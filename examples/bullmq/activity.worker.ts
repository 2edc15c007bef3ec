import { ActivityIngestController, type IngestAnswer, type IngestRefusal } from '@laurel/ingest';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { RpcException } from '@nestjs/microservices';
import { type Job, UnrecoverableError, Worker } from 'bullmq';

/** What a job holds, as the body of `POST /activity/events`. */
interface Activities {
  readonly events: readonly object[];
}

/** Records the jobs of a queue, by the handler that any transport of Nest's feeds. */
@Injectable()
export class ActivityWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private worker: Worker<Activities, IngestAnswer> | undefined;

  constructor(private readonly modules: ModuleRef) {}

  onApplicationBootstrap(): void {
    const handler = this.modules.get(ActivityIngestController, { strict: false });
    const work = async ({ data, timestamp }: Job<Activities>): Promise<IngestAnswer> => {
      // A job that comes again must say the same: without a moment of its own, an event is as old as its job.
      const occurredAt = new Date(timestamp).toISOString();
      try {
        return await handler.record({ events: data.events.map((event) => ({ occurredAt, ...event })) }, null);
      } catch (error) {
        throw finalIn(error) ?? error;
      }
    };
    const connection = { url: process.env.REDIS_URL ?? 'redis://localhost:6379' };
    this.worker = new Worker(process.env.QUEUE ?? 'activities', work, { connection, concurrency: 16 });
    this.worker.on('error', (error) => console.error(error.message));
  }

  /** A job that is under way ends first; one that is cut short comes again, and counts once. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.worker?.close();
  }
}

/** What can never be recorded is not tried again: it stays among the failed jobs, with its reason. */
function finalIn(error: unknown): UnrecoverableError | null {
  if (!(error instanceof RpcException)) return null;
  const { code, message, isRetryable } = error.getError() as IngestRefusal;
  return isRetryable || code === 'unknownAction' ? null : new UnrecoverableError(`${code}: ${message}`);
}
