import autocannon from 'autocannon';
import { fill, startCommunity, type Measured } from '../harness/community';
import type { BenchContext, Benchmark } from '../harness/context';
import { cpuOf, stopProgram } from '../harness/program';
import { compare, type Target } from '../harness/sample';

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
    const members = Math.min(...memberCounts);
    const app = await startCommunity();
    const against = async ({ title, paths, rate, cpu }: Reads) => {
      const body = Buffer.from(await (await fetch(`${app.url}${paths[0]}`)).arrayBuffer());
      const bare = await app.startBare(body);
      report(
        await compare(
          () => measured(app, { paths, seconds }),
          () => measured(bare, { paths: ['/'], seconds }),
          {
            setting: `${members.toLocaleString('en')} members, ${connections} connections, ${body.length} bytes`,
            baselineName: 'a bare Fastify route with the same bytes in memory',
            metrics: [
              { name: title, unit: 'requests/s', target: rate },
              { name: `${title}, CPU of a request`, unit: 'µs', target: cpu },
            ],
            rounds,
            warmUps: 4,
          },
        ),
      );
      await stopProgram(bare.program);
    };
    try {
      await fill(app.url, members);
      await against({
        title: ranksRouteBench.title,
        paths: ['/ranks/day?limit=10'],
        rate: { of: 'ratio', atLeast: 0.7 },
        cpu: { of: 'ratio', atMost: 2 },
      });
      await against({
        title: 'GET /ranks/day/users/:userId',
        paths: Array.from({ length: Math.min(members, askedUsers) }, (_, i) => `/ranks/day/users/${i + 1}`),
        rate: null,
        cpu: { of: 'ratio', atMost: 6 },
      });
    } finally {
      await app.close();
    }
  },
};

/** Requests a second, and microseconds of the program's CPU for each. */
async function measured(
  { program, url }: Measured,
  { paths, seconds }: { readonly paths: readonly string[]; readonly seconds: number },
): Promise<readonly number[]> {
  const before = await cpuOf(program);
  const requests = paths.map((path) => ({ path }));
  // Each connection asks for the paths in their order, from another one on: together, all are in flight at any time.
  let first = 0;
  const setupClient = (client: autocannon.Client) => {
    client.setRequests([...requests.slice(first), ...requests.slice(0, first)]);
    first += Math.floor(requests.length / connections);
  };
  const { requests: made, non2xx } = await autocannon({ url, connections, duration: seconds, requests, setupClient });
  if (non2xx > 0) throw new Error(`${url}${paths[0]} answered ${non2xx} requests with another status than 2xx.`);
  return [made.average, ((await cpuOf(program)) - before) / made.total];
}
