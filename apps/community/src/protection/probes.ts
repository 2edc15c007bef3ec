import type { FastifyRequest } from 'fastify';

/** Whoever asks these decides whether this process is restarted or sent requests, or looks why it refuses some. */
const probes: readonly string[] = ['/health/live', '/health/ready', '/metrics'];

/** Whether a request is to be answered however much there is to do. */
export function isProbe({ routeOptions }: FastifyRequest): boolean {
  return probes.includes(routeOptions.url ?? '');
}
