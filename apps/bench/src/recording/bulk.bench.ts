import autocannon from 'autocannon';
import { fill, jsonHeaders, sendEvents, startCommunity, type Measured } from '../harness/community';
import type { BenchContext, Benchmark } from '../harness/context';
import { cpuOf } from '../harness/program';
import { lehmer, uniform } from '../harness/random';
import { compare } from '../harness/sample';

/** So many services send at once, so many events in a request. */
const connections = 8;
const together = 100;

/**
 * Recording over HTTP by the app as it runs in production, against a bare Fastify route that takes the same bodies and
 * answers with as many bytes from memory: the CPU time of an event.
 */
export const bulkBench: Benchmark = {
  name: 'bulk',
  title: `POST /activity/events of ${together}`,
  async run({ memberCounts, rounds, isQuick, report }: BenchContext): Promise<void> {
    const seconds = isQuick ? 1 : 4;
    const members = Math.min(...memberCounts);
    const app = await startCommunity();
    try {
      await fill(app.url, members);
      const next = eventsOf(members);
      const bare = await app.startBare(await sendEvents(app.url, next()));
      report(
        await compare(
          () => measured({ ...app, url: `${app.url}/activity/events` }, next, seconds),
          () => measured(bare, next, seconds),
          {
            setting: `${members.toLocaleString('en')} members, ${connections} connections`,
            baselineName: 'a bare Fastify route that parses the same bodies and has as many bytes in memory',
            metrics: [
              { name: bulkBench.title, unit: 'events/s', target: null },
              { name: `${bulkBench.title}, CPU of an event`, unit: 'µs', target: { of: 'subject', atMost: 8 } },
            ],
            rounds,
            warmUps: 4,
          },
        ),
      );
    } finally {
      await app.close();
    }
  },
};

/** Makes the events of one request after the other: users as often as any other, each event new. */
function eventsOf(members: number): () => object[] {
  const draw = uniform(members, lehmer(members));
  let made = 0;
  return () => {
    const occurredAt = new Date().toISOString();
    return Array.from({ length: together }, () => {
      made += 1;
      return { userId: String(draw() + 1), action: 'praise', subject: `article:${made}`, occurredAt };
    });
  };
}

/** Events a second, and microseconds of the program's CPU for each. */
async function measured({ program, url }: Measured, next: () => object[], seconds: number): Promise<readonly number[]> {
  const before = await cpuOf(program);
  const { requests, non2xx, errors } = await autocannon({
    url,
    connections,
    duration: seconds,
    method: 'POST',
    headers: jsonHeaders,
    requests: [{ setupRequest: (request) => ({ ...request, body: JSON.stringify({ events: next() }) }) }],
  });
  if (non2xx + errors > 0) throw new Error(`${url} failed ${non2xx + errors} requests.`);
  return [requests.average * together, ((await cpuOf(program)) - before) / (requests.total * together)];
}
