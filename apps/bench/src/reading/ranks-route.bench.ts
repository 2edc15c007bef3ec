import { startPostgres, startRedis } from '@laurel/servers';
import autocannon from 'autocannon';
import type { ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import type { BenchContext, Benchmark } from '../harness/context';
import { compare, type Target } from '../harness/sample';
import { cpuOf, startProgram, stopProgram } from './program';

const apiKey = 'bench-bench-bench';
const connections = 32;

/** Requests that are sent in turn, and what the ratios should be. */
interface Reads {
  readonly title: string;
  readonly paths: readonly string[];
  readonly rate: Target | null;
  readonly cpu: Target | null;
}

/** Users whose own standings are asked for, one after the other. */
const askedUsers = 2_000;

/**
 * Reads over HTTP, of the app as it runs in production, against a bare Fastify route that has the same bytes in memory:
 * requests a second, and the CPU time of one.
 */
export const ranksRouteBench: Benchmark = {
  name: 'ranks-route',
  title: 'GET /ranks/day?limit=10',
  async run({ memberCounts, rounds, isQuick, report }: BenchContext): Promise<void> {
    const seconds = isQuick ? 1 : 4;
    const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
    const [port, barePort] = [await freePort(), await freePort()];
    const url = `http://127.0.0.1:${port}`;
    const env = {
      ...{ PORT: String(port), REDIS_URL: redis.url, DATABASE_URL: postgres.url, LAUREL_API_KEY: apiKey },
      ...{ AUTH_SECRET: 'bench-bench-bench-bench', NODE_ENV: 'production' },
      // The benchmark sends more requests than the app allows one address: they are counted, and never too many.
      LAUREL_THROTTLE: 'on',
      LAUREL_THROTTLE_REQUESTS: '1000000000',
      // Its lateness is sampled as ever, but other work on the machine must not make it refuse requests.
      LAUREL_MAX_LATE_MS: '60000',
    };
    const programs: ChildProcess[] = [];
    const start = async (...program: Parameters<typeof startProgram>) => {
      const started = await startProgram(...program);
      programs.push(started);
      return started;
    };
    const against = async (app: ChildProcess, { title, paths, rate, cpu }: Reads) => {
      const body = Buffer.from(await (await fetch(`${url}${paths[0]}`)).arrayBuffer());
      const bareUrl = `http://127.0.0.1:${barePort}`;
      const bareEnv = { PORT: String(barePort), BENCH_BODY: body.toString('base64'), NODE_ENV: 'production' };
      const bare = await start('bench/src/reading/bare-route', bareEnv, bareUrl);
      report(
        await compare(
          () => measured(app, url, { paths, seconds }),
          () => measured(bare, bareUrl, { paths: ['/'], seconds }),
          {
            setting: `${members.toLocaleString('en')} members, ${connections} connections, ${body.length} bytes`,
            baselineName: 'a bare Fastify route with the same bytes in memory',
            metrics: [
              { name: title, unit: 'requests/s', target: rate },
              { name: `${title}, CPU of a request`, unit: 'µs', target: cpu },
            ],
            rounds,
          },
        ),
      );
      await stopProgram(bare);
    };
    const members = Math.min(...memberCounts);
    try {
      const app = await start('community/src/main', env, `${url}/health/ready`);
      await fill(port, members);
      await against(app, {
        title: ranksRouteBench.title,
        paths: ['/ranks/day?limit=10'],
        rate: { of: 'ratio', atLeast: 0.7 },
        cpu: { of: 'ratio', atMost: 2 },
      });
      await against(app, {
        title: 'GET /ranks/day/users/:userId',
        paths: Array.from({ length: Math.min(members, askedUsers) }, (_, i) => `/ranks/day/users/${i + 1}`),
        rate: null,
        cpu: { of: 'ratio', atMost: 6 },
      });
    } finally {
      await Promise.all(programs.map(stopProgram));
      await Promise.all([redis.stop(), postgres.stop()]);
    }
  },
};

/** Requests a second, and microseconds of the program's CPU for each. */
async function measured(
  program: ChildProcess,
  url: string,
  { paths, seconds }: { readonly paths: readonly string[]; readonly seconds: number },
): Promise<readonly number[]> {
  const before = await cpuOf(program);
  const requests = paths.map((path) => ({ path }));
  const { requests: made, non2xx } = await autocannon({ url, connections, duration: seconds, requests });
  if (non2xx > 0) throw new Error(`${url}${paths[0]} answered ${non2xx} requests with another status than 2xx.`);
  return [made.average, ((await cpuOf(program)) - before) / made.total];
}

/** Puts so many users on the boards, through the route that other services use. */
async function fill(port: number, members: number): Promise<void> {
  for (let first = 0; first < members; first += 1_000) {
    const events = Array.from({ length: Math.min(1_000, members - first) }, (_, i) => ({
      userId: String(first + i + 1),
      action: 'praise',
      subject: `article:${i}`,
    }));
    const answer = await fetch(`http://127.0.0.1:${port}/activity/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ events }),
    });
    if (!answer.ok) throw new Error(`The app did not take the events: ${answer.status} ${await answer.text()}`);
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
