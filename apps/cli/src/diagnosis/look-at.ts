import { Redis, type RedisOptions } from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from 'node:tls';
import { ServerConnector } from '@laurel/activity/internals';
import { codeOf, remedyOf } from './remedies';

/** How long a server may take to show what it speaks. */
const withinMs = 2_000;

/** TLS tells what it thinks of a client's certificate when the connection is made already. */
const saidWithinMs = 100;

/** How a client is let in that cannot use a server. */
export type Access = Pick<RedisOptions, 'tls' | 'username' | 'password'>;

/** A server to look at. */
export type LookedAt = Access & { readonly host: string; readonly port: number };

/**
 * Connects once as a client does, and finds what is wrong with that: what an operator can do, or null where the server
 * is away or nothing is wrong.
 */
export async function lookAt({ host, port, tls, username, password }: LookedAt): Promise<string | null> {
  if (tls && (await speaksPlainly(host, port))) {
    return 'Redis speaks no TLS at this port: use redis:// and leave redis.tls (REDIS_TLS) out, or name its tls-port';
  }
  const errors = await errorsOf({ host, port, ...(tls && { tls }), ...withUser(username, password) });
  const remedy = errors.map(remedyOf).find((one) => one !== null);
  if (remedy !== undefined) return remedy;
  if (tls || errors.length === 0 || errors.some((error) => codeOf(error) === 'ECONNREFUSED')) return null;
  return (await speaksTls(host, port))
    ? 'Redis speaks TLS alone at this port: use rediss://, or set redis.tls (REDIS_TLS=on)'
    : null;
}

function withUser(username: RedisOptions['username'], password: RedisOptions['password']): Access {
  return { ...(username && { username }), ...(password && { password }) };
}

/** The fault of a connection; undefined if it is made. */
async function errorsOf(options: LookedAt): Promise<Error[]> {
  const errors: Error[] = [];
  const once = { lazyConnect: true, enableReadyCheck: false, retryStrategy: () => 60_000, Connector: ServerConnector };
  const client = new Redis({ ...options, ...once, connectTimeout: withinMs, commandTimeout: withinMs });
  client.on('error', (error: Error) => errors.push(error));
  const isMade = await client.connect().then(
    () => true,
    () => false,
  );
  if (!isMade) await delay(saidWithinMs);
  client.disconnect();
  return isMade ? [] : errors;
}

async function speaksPlainly(host: string, port: number): Promise<boolean> {
  const errors = await errorsOf({ host, port });
  return errors.every(({ name }) => name === 'ReplyError');
}

function speaksTls(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    // Nothing is sent to it: whose certificate it has does not matter.
    const socket = connect({ host, port, rejectUnauthorized: false, timeout: withinMs });
    const answer = (isTls: boolean) => {
      resolve(isTls);
      socket.destroy();
    };
    socket.once('secureConnect', () => answer(true)).once('timeout', () => answer(false));
    socket.on('error', () => answer(false)).once('close', () => answer(false));
  });
}
