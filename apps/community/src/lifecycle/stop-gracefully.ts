import { Injectable, type LoggerService } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { setTimeout as delay } from 'node:timers/promises';

/** How long a stop may take. */
export interface StopTimes {
  /** How long requests are still taken after readiness says 503: balancers check at intervals. */
  readonly drainMs: number;
  /** Until the process ends, whatever is left to do. Requests have half of it, pending recording the other half. */
  readonly shutdownMs: number;
}

/** Whether the app is about to stop: readiness says so, and each answer asks its client to connect elsewhere. */
@Injectable()
export class Draining {
  isOn = false;

  begin(): void {
    this.isOn = true;
  }
}

/**
 * Stops the app so that no request is cut. Readiness says 503 at once, and each answer closes its connection; after
 * `drainMs` no more connections are taken; when the last request is answered, what is pending is recorded and told to
 * listeners. Connections that are still open after half of `shutdownMs` are cut, so that the flush has its time.
 */
export async function stopGracefully(
  app: NestFastifyApplication,
  { drainMs, shutdownMs }: StopTimes,
  logger: LoggerService,
): Promise<void> {
  const server = app.getHttpServer();
  const cut = (_error: Error | null, count: number) => {
    if (count === 0) return;
    logger.warn(`${count} connections were not answered in time for the shutdown: closing them.`, 'Shutdown');
    server.closeAllConnections();
  };
  const cutting = setTimeout(() => server.getConnections(cut), shutdownMs / 2);
  app.get(Draining).begin();
  await delay(drainMs);
  await app.close();
  clearTimeout(cutting);
}
