import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * The fault of the network. `silent`: forwards nothing, and closes nothing; held bytes arrive late. `reset`: resets
 * connections, also new ones. `lost`: existing connections silently lose everything; new ones work. `slow`: each reply
 * takes two seconds. `half`: brings half of a reply and ends the connection.
 */
export const sicknesses = ['silent', 'reset', 'lost', 'slow', 'half'] as const;
export type Sickness = (typeof sicknesses)[number];

const slownessMs = 2_000;

/** One connection through the network, and what is on its way in each direction. */
interface Way {
  readonly client: Socket;
  readonly server: Socket;
  readonly held: { readonly to: Socket; readonly data: Buffer }[];
  isLost: boolean;
}

/** A network on loopback between clients and one server, which a test may make sick. */
export class SickNetwork {
  private readonly ways = new Set<Way>();
  private sickness: Sickness | 'none' = 'none';

  private constructor(
    private readonly listener: Server,
    private serverPort: number,
  ) {}

  /** Forwards to a port of loopback. */
  static async to(serverPort: number): Promise<SickNetwork> {
    const listener = createServer();
    const network = new SickNetwork(listener, serverPort);
    listener.on('connection', (client) => network.open(client));
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    return network;
  }

  /** Where it listens. */
  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  /** Connections that clients have through it. */
  get connections(): number {
    return this.ways.size;
  }

  /** Forwards new connections to another port of loopback. */
  leadTo(serverPort: number): void {
    this.serverPort = serverPort;
  }

  fall(sickness: Sickness): void {
    this.sickness = sickness;
    if (sickness === 'reset') for (const way of this.ways) cut(way);
    if (sickness === 'lost') for (const way of this.ways) way.isLost = true;
  }

  /** Forwards again. What it held back arrives now, also where the client has given up meanwhile. */
  heal(): void {
    this.sickness = 'none';
    for (const way of this.ways) {
      for (const { to, data } of way.held.splice(0)) to.write(data);
      if (!way.client.destroyed) continue;
      this.ways.delete(way);
      way.server.end();
    }
  }

  async stop(): Promise<void> {
    for (const way of this.ways) cut(way);
    this.listener.close();
    await once(this.listener, 'close');
  }

  private open(client: Socket): void {
    if (this.sickness === 'reset') return void client.resetAndDestroy();
    const way: Way = { client, server: connect(this.serverPort, '127.0.0.1'), held: [], isLost: false };
    this.ways.add(way);
    for (const socket of [client, way.server]) socket.setNoDelay(true).on('error', () => undefined);
    client.on('data', (data) => this.forward(way, way.server, data)).on('close', () => this.end(way));
    way.server.on('data', (data) => this.forward(way, client, data)).on('close', () => this.end(way));
  }

  private forward(way: Way, to: Socket, data: Buffer): void {
    const isReply = to === way.client;
    if (way.isLost) return;
    if (this.sickness === 'silent') way.held.push({ to, data });
    else if (this.sickness === 'slow' && isReply) setTimeout(() => to.write(data), slownessMs).unref();
    else if (this.sickness === 'half' && isReply) to.end(data.subarray(0, data.length / 2), () => cut(way));
    else to.write(data);
  }

  /** What a client sent before it gave up is still on its way: the connection goes when that has arrived. */
  private end(way: Way): void {
    if (way.held.some(({ to }) => to === way.server)) return;
    this.ways.delete(way);
    cut(way);
  }
}

function cut({ client, server }: Way): void {
  for (const socket of [client, server]) {
    // What is ending already cannot be reset, and would stay open.
    if (socket.writableEnded) socket.destroy();
    else if (!socket.destroyed) socket.resetAndDestroy();
  }
}
