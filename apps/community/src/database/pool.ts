import { Logger } from '@nestjs/common';
import { Pool } from 'pg';

/** How long a request waits for a connection, and for one statement, before it is answered 503. */
const connectWithinMs = 2_000;
const answerWithinMs = 5_000;

/** Connections to the database, opened as they are needed. */
export function createPool(url: string): Pool {
  const pool = new Pool({
    connectionString: url,
    max: 20,
    connectionTimeoutMillis: connectWithinMs,
    statement_timeout: answerWithinMs,
    query_timeout: answerWithinMs + 1_000,
    keepAlive: true,
    application_name: 'laurel-community',
  });
  // An idle connection that breaks is replaced by itself; unheard, its error would end the process.
  const logger = new Logger('Database');
  pool.on('error', (error) => logger.warn(`A connection was lost: ${error.message}`));
  return pool;
}
