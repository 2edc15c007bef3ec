import { startPostgres, startRedis } from '@laurel/servers';
import autocannon from 'autocannon';
import type { ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import type { BenchContext, Benchmark } from '../harness/context';
import { compare } from '../harness/sample';
import { startProgram, stopProgram } from './program';

const apiKey = 'bench-bench-bench';
const connections = 32;

/** Requests a second of the first page of standings, against a bare Fastify route that has the same bytes in memory. */
export const ranksRouteBench: Benchmark = {
  name: 'ranks-route',
  title: 'GET /ranks/day?limit=10',
  async run({ memberCounts, rounds, isQuick, report }: BenchContext): Promise<void> {
    const seconds = isQuick ? 1 : 4;
    const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
    const [port, barePort] = [await freePort(), await freePort()];
    const url = `http://127.0.0.1:${port}/ranks/day?limit=10`;
    const env = {
      ...{ PORT: String(port), REDIS_URL: redis.url, DATABASE_URL: postgres.url, LAUREL_API_KEY: apiKey },
      ...{ AUTH_SECRET: 'bench-bench-bench-bench', NODE_ENV: 'production' },
      // The benchmark sends more requests than the app allows one address.
      LAUREL_THROTTLE: 'off',
    };
    const programs: ChildProcess[] = [];
    const start = async (...program: Parameters<typeof startProgram>) =>
      void programs.push(await startProgram(...program));
    try {
      await start('community/src/main', env, `http://127.0.0.1:${port}/health/ready`);
      const members = Math.min(...memberCounts);
      await fill(port, members);
      const body = Buffer.from(await (await fetch(url)).arrayBuffer());
      const bareUrl = `http://127.0.0.1:${barePort}/`;
      const bareEnv = { PORT: String(barePort), BENCH_BODY: body.toString('base64'), NODE_ENV: 'production' };
      await start('bench/src/reading/bare-route', bareEnv, bareUrl);
      const requests = async (target: string) => {
        const { requests: measured, non2xx } = await autocannon({ url: target, connections, duration: seconds });
        if (non2xx > 0) throw new Error(`${target} answered ${non2xx} requests with another status than 2xx.`);
        return [measured.average];
      };
      report(
        await compare(
          () => requests(url),
          () => requests(bareUrl),
          {
            setting: `${members.toLocaleString('en')} members, ${connections} connections, ${body.length} bytes`,
            baselineName: 'a bare Fastify route with the same bytes in memory',
            metrics: [{ name: ranksRouteBench.title, unit: 'requests/s', target: { of: 'ratio', atLeast: 0.7 } }],
            rounds,
          },
        ),
      );
    } finally {
      await Promise.all(programs.map(stopProgram));
      await Promise.all([redis.stop(), postgres.stop()]);
    }
  },
};

/** Puts so many users on the boards, through the route that other services use. */
async function fill(port: number, members: number): Promise<void> {
  for (let first = 0; first < members; first += 1_000) {
    const events = Array.from({ length: Math.min(1_000, members - first) }, (_, i) => ({
      userId: `user-${first + i}`,
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
