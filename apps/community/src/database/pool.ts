import { Logger } from '@nestjs/common';
import { Socket } from 'node:net';
import { Pool } from 'pg';

/** How long a request waits for a connection, and for one statement, before it is answered 503. */
const connectWithinMs = 2_000;
const answerWithinMs = 5_000;

/**
 * A connection silent for this long is dead: the server would have ended any statement by then, and unused connections
 * are closed earlier. Once it is ended, further queries such as a ROLLBACK fail at once.
 */
const deadAfterMs = answerWithinMs + 500;

/** How long a relay's transaction may wait for recording: longer than that, its process or its host is dead. */
const relayIdleMs = 60_000;

const logger = new Logger('Database');

const connections = (url: string) => ({
  connectionString: url,
  connectionTimeoutMillis: connectWithinMs,
  statement_timeout: answerWithinMs,
  query_timeout: answerWithinMs + 1_000,
  keepAlive: true,
});

/** Connections to the database, opened as they are needed. */
export function createPool(url: string): Pool {
  const own = {
    max: 20,
    idleTimeoutMillis: answerWithinMs,
    stream: mortalSocket,
    application_name: 'laurel-community',
  };
  const pool = new Pool({ ...connections(url), ...own });
  // An idle connection that breaks is replaced by itself; unheard, its error would end the process.
  return pool.on('error', (error) => logger.warn(`A connection was lost: ${error.message}`));
}

/** The relay's own few connections: requests never wait for a delivery, nor it for them. */
export function createRelayPool(url: string): Pool {
  const own = { max: 3, idle_in_transaction_session_timeout: relayIdleMs, application_name: 'laurel-outbox' };
  // The pool of the requests says it.
  return new Pool({ ...connections(url), ...own }).on('error', () => undefined);
}

function mortalSocket(): Socket {
  const socket = new Socket();
  const died = () => Object.assign(new Error('Connection terminated: the database is silent'), { code: 'ETIMEDOUT' });
  return socket.setTimeout(deadAfterMs, () => socket.destroy(died()));
}
