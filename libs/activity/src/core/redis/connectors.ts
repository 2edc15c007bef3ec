import { AbstractConnector, type RedisOptions, SentinelConnector } from 'ioredis';
import { connect as connectPlainly } from 'node:net';
import { performance } from 'node:perf_hooks';
import { connect as connectTls } from 'node:tls';

type Stream = Awaited<ReturnType<AbstractConnector['connect']>>;
const ignore = (): void => undefined;
/** How often such a server is left: reads go on there meanwhile. */
const leaveEveryMs = 5_000;

/**
 * Connects to one server as ioredis does, and hears every error of the connection. ioredis hears the first alone; but
 * where a certificate is refused, Node may tell the server's alert after it, and an error that nobody hears ends the
 * process.
 */
export class ServerConnector extends AbstractConnector {
  readonly #options: RedisOptions;
  /** From when on it is left where it takes no writes; a server that never was a master is not. */
  #leaveFromMs = Infinity;

  constructor(options: unknown) {
    const given = options as RedisOptions;
    super(given.disconnectTimeout ?? 2_000);
    this.#options = given;
    // A master that became a replica keeps its connections, while the address may lead to the new master.
    given.reconnectOnError = ({ message }) => {
      if (!message.startsWith('READONLY') || performance.now() < this.#leaveFromMs) return false;
      this.#leaveFromMs = performance.now() + leaveEveryMs;
      return true;
    };
  }

  /** Hears what the server says of itself. */
  override check({ role }: { readonly role?: string }): boolean {
    if (role === 'master') this.#leaveFromMs = Math.min(this.#leaveFromMs, performance.now());
    return true;
  }

  /** The connection; each of its errors has a listener. */
  connect(): Promise<Stream> {
    const { path, host = 'localhost', port = 6_379, family, tls } = this.#options;
    const address = path === undefined ? { host, port, ...(family !== undefined && { family }) } : { path };
    this.connecting = true;
    // Not at once: ioredis asks for the connection before it is ready to hear of it.
    return new Promise((resolve, reject) => {
      process.nextTick(() => {
        // These words are what ioredis knows for no fault.
        if (!this.connecting) return reject(new Error('Connection is closed.'));
        const stream = tls ? connectTls({ ...address, ...tls }) : connectPlainly(address);
        stream.once('error', (error: Error) => (this.firstError = error));
        // That one that has closed should close, ioredis would wait two seconds, and the process could not end.
        stream.once('close', () => this.stream === stream && Reflect.deleteProperty(this, 'stream'));
        resolve((this.stream = stream).on('error', ignore));
      });
    });
  }
}

/** Connects to the master that Sentinels name, and hears every error of that connection as {@link ServerConnector}. */
export class MasterConnector extends SentinelConnector {
  constructor(options: unknown) {
    super(options as RedisOptions);
  }

  override async connect(...given: Parameters<AbstractConnector['connect']>): Promise<Stream> {
    return (await super.connect(...given)).on('error', ignore);
  }
}
