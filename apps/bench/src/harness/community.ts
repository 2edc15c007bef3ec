import { startPostgres, startRedis } from '@laurel/servers';
import type { ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { startProgram, stopProgram } from './program';

const apiKey = 'bench-bench-bench';

/** The headers that services send with a body of JSON. */
export const jsonHeaders = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };

/** A program that is measured, and where it listens. */
export interface Measured {
  readonly program: ChildProcess;
  readonly url: string;
}

/** The community as it runs in production, with servers of its own, and programs to set beside it. */
export interface MeasuredCommunity extends Measured {
  /** Starts a bare Fastify route that answers with these bytes, from memory. */
  startBare(body: Buffer): Promise<Measured>;
  close(): Promise<void>;
}

/** Starts the community. */
export async function startCommunity(): Promise<MeasuredCommunity> {
  const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
  const [port, barePort] = [await freePort(), await freePort()];
  const [url, bareUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${barePort}`];
  const programs: ChildProcess[] = [];
  const start = async (...program: Parameters<typeof startProgram>) => {
    const started = await startProgram(...program);
    programs.push(started);
    return started;
  };
  const close = async () => {
    await Promise.all(programs.map(stopProgram));
    await Promise.all([redis.stop(), postgres.stop()]);
  };
  const env = {
    ...{ PORT: String(port), REDIS_URL: redis.url, DATABASE_URL: postgres.url, LAUREL_API_KEY: apiKey },
    ...{ AUTH_SECRET: 'bench-bench-bench-bench', NODE_ENV: 'production' },
    // The benchmark sends more requests than the app allows one address: they are counted, and never too many.
    LAUREL_THROTTLE: 'on',
    LAUREL_THROTTLE_REQUESTS: '1000000000',
    // Its lateness is sampled as ever, but other work on the machine must not make it refuse requests.
    LAUREL_MAX_LATE_MS: '60000',
  };
  try {
    return {
      program: await start('community/src/main', env, `${url}/health/ready`),
      url,
      startBare: async (body) => {
        const bareEnv = { PORT: String(barePort), BENCH_BODY: body.toString('base64'), NODE_ENV: 'production' };
        return { program: await start('bench/src/harness/bare-route', bareEnv, bareUrl), url: bareUrl };
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Sends the events of a bulk request, and gives the answer's bytes. */
export async function sendEvents(url: string, events: readonly object[]): Promise<Buffer> {
  const body = JSON.stringify({ events });
  const answer = await fetch(`${url}/activity/events`, { method: 'POST', headers: jsonHeaders, body });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (!answer.ok) throw new Error(`The app did not take the events: ${answer.status} ${bytes.toString('utf8')}`);
  return bytes;
}

/** Puts so many users on the boards, through the route that other services use. */
export async function fill(url: string, members: number): Promise<void> {
  for (let first = 0; first < members; first += 1_000) {
    const events = Array.from({ length: Math.min(1_000, members - first) }, (_, i) => ({
      userId: String(first + i + 1),
      action: 'praise',
      subject: `article:${i}`,
    }));
    await sendEvents(url, events);
  }
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
