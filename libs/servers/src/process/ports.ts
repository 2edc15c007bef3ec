import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { ServersError } from '../errors';

/** The address of every private server: this machine only. */
export const loopback = '127.0.0.1';

/**
 * Private servers listen here, below the ports that systems give to outgoing connections: a client that reconnects to a
 * stopped server of that other range may be given the server's own port and end up connected to itself.
 */
const firstPort = 12_000;
const lastPort = 21_999;

/** How far a Redis Cluster node's second port, the bus, is from its first. */
export const busOffset = 10_000;

/**
 * A port nobody listens on at this moment. Another program may take it before the server does: callers try again then.
 * @param withBus whether the port {@link busOffset} above must be free too.
 */
export async function freePort(withBus = false): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = randomInt(firstPort, lastPort + 1);
    if ((await isFree(port)) && (!withBus || (await isFree(port + busOffset)))) return port;
  }
  throw new ServersError('startFailed', `No free port found between ${firstPort} and ${lastPort} on ${loopback}.`);
}

/** Whether a server could listen on this port of the loopback address now. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: loopback, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
