import type { FastifyRequest } from 'fastify';

/** Routes by which a balancer or an operator decides whether to restart this process or to send it requests. */
const probes: readonly string[] = ['/health/live', '/health/ready', '/metrics'];

/** Whether a request is to be answered however much there is to do. */
export function isProbe({ routeOptions }: FastifyRequest): boolean {
  return probes.includes(routeOptions.url ?? '');
}
