import type { LoggerService } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Draining } from './draining';

/** How long a stop may take. */
export interface StopTimes {
  /** How long requests are still taken after readiness says 503: balancers check at intervals. */
  readonly drainMs: number;
  /** Until the process ends, whatever is left to do. Requests have half of it, pending recording the other half. */
  readonly shutdownMs: number;
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
  const cutting = setTimeout(() => void cutOff(app.getHttpServer(), logger), shutdownMs / 2);
  app.get(Draining).begin();
  await delay(drainMs);
  await app.close();
  clearTimeout(cutting);
}

function cutOff(server: Server, logger: LoggerService): void {
  server.getConnections((_error, count) => {
    if (!count) return;
    logger.warn(`${count} connections were not answered in time for the shutdown: closing them.`, 'Shutdown');
    server.closeAllConnections();
  });
}
