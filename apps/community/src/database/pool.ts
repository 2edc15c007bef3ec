import { Logger } from '@nestjs/common';
import { Socket } from 'node:net';
import { Pool } from 'pg';

/**
 * How long a request waits for a connection, and for one statement, before it is answered 503: longer where commands
 * may take longer in Redis.
 */
const connectWithinMs = 2_000;
const answerWithinMs = 5_000;

/** How long a relay's transaction may wait for recording: longer than that, its process or its host is dead. */
const relayIdleMs = 60_000;

const logger = new Logger('Database');

const connections = (url: string, patienceMs: number) => {
  const within = Math.max(answerWithinMs, patienceMs);
  return {
    connectionString: url,
    connectionTimeoutMillis: Math.max(connectWithinMs, patienceMs),
    statement_timeout: within,
    query_timeout: within + 1_000,
    keepAlive: true,
  };
};

/** Connections to the database, opened as they are needed. */
export function createPool(url: string, patienceMs = 0): Pool {
  const shared = connections(url, patienceMs);
  const stream = () => mortalSocket(shared.statement_timeout + 500);
  const own = { max: 20, idleTimeoutMillis: answerWithinMs, stream, application_name: 'laurel-community' };
  const pool = new Pool({ ...shared, ...own });
  // An idle connection that breaks is replaced by itself; unheard, its error would end the process.
  return pool.on('error', (error) => logger.warn(`A connection was lost: ${error.message}`));
}

/** The relay's own few connections: requests never wait for a delivery, nor it for them. */
export function createRelayPool(url: string, patienceMs = 0): Pool {
  const own = { max: 3, idle_in_transaction_session_timeout: relayIdleMs, application_name: 'laurel-outbox' };
  // The pool of the requests says it.
  return new Pool({ ...connections(url, patienceMs), ...own }).on('error', () => undefined);
}

/**
 * A connection silent for so long is dead: the server would have ended any statement by then, and unused connections
 * are closed earlier. Once it is ended, further queries such as a ROLLBACK fail at once.
 */
function mortalSocket(deadAfterMs: number): Socket {
  const socket = new Socket();
  const died = () => Object.assign(new Error('Connection terminated: the database is silent'), { code: 'ETIMEDOUT' });
  return socket.setTimeout(deadAfterMs, () => socket.destroy(died()));
}
