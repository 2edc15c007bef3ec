import { request, Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** What this program is told, as JSON, in `LAUREL_TEST_LOAD`. */
export interface Load {
  readonly url: string;
  /** Of the services: requests with it are not throttled. */
  readonly key: string;
  /** Requests are sent one after the other by so many, or so many a second whatever becomes of those before. */
  readonly by: { readonly workers: number } | { readonly perSecond: number };
  readonly seconds: number;
  /** The first request's number: each other one is a recording for a user of its own, `user:<number>`. */
  readonly first: number;
}

/** What it prints, as JSON. */
export interface Loaded {
  readonly sent: number;
  readonly statuses: Record<number, number>;
  /** Without a whole answer. */
  readonly unanswered: number;
  /** Refusals that are no problem document, or do not say when to come again. */
  readonly unclear: number;
  readonly okPerSecond: number;
  /** Of what was answered with 200. */
  readonly medianMs: number;
  readonly slowestMs: number;
  /** Of refusals. */
  readonly refusedMedianMs: number;
  /** How long after the last was to be sent the last was answered. */
  readonly lateMs: number;
  /** The numbers of the recordings that were acknowledged. */
  readonly acknowledged: readonly number[];
}

/** Events in each recording. */
export const eventsEach = 20;

const maxConnections = 400;

async function main({ url, key, by, seconds, first }: Load): Promise<Loaded> {
  // As a balancer has them: requests for which none is free wait here. autocannon would send no more than are answered.
  const agent = new Agent({ keepAlive: true, maxSockets: maxConnections, maxFreeSockets: maxConnections });
  const statuses: Record<number, number> = {};
  const acknowledged: number[] = [];
  const took: { ok: number[]; refused: number[] } = { ok: [], refused: [] };
  let [sent, unanswered, unclear, lateMs] = [0, 0, 0, 0];

  const send = () => {
    const number = first + sent;
    sent += 1;
    const isRecording = number % 2 === 0;
    const userId = `user:${number}`;
    const events = Array.from({ length: eventsEach }, (_, n) => ({ userId, action: 'view', subject: `page ${n}` }));
    const body = isRecording ? JSON.stringify({ events }) : '';
    let startedMs = 0;
    return new Promise<void>((resolve) => {
      const asked = request(
        url + (isRecording ? '/activity/events' : `/ranks/all?limit=50&offset=${number % 1_000}`),
        {
          method: isRecording ? 'POST' : 'GET',
          agent,
          headers: {
            authorization: `Bearer ${key}`,
            ...(isRecording && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          },
        },
        (answer) => {
          answer.resume();
          answer.on('error', () => undefined);
          answer.on('close', () => {
            resolve();
            if (!answer.complete) return void (unanswered += 1);
            const { statusCode = 0, headers } = answer;
            const ms = performance.now() - startedMs;
            statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
            (statusCode === 200 ? took.ok : took.refused).push(ms);
            if (statusCode === 200 && isRecording) acknowledged.push(number);
            const isClear = headers['retry-after'] && headers['content-type']?.includes('problem+json');
            if (statusCode !== 200 && !isClear) unclear += 1;
          });
        },
      );
      asked.on('socket', () => (startedMs = performance.now()));
      asked.on('error', () => {
        unanswered += 1;
        resolve();
      });
      asked.end(body);
    });
  };

  // A balancer has its connections already: Node accepts one in each turn of a loop that is busy.
  if ('perSecond' in by) await Promise.all(Array.from({ length: maxConnections }, () => connect(url, agent)));
  const startedMs = performance.now();
  const passed = () => (performance.now() - startedMs) / 1_000;
  if ('workers' in by) {
    const work = async () => {
      while (passed() < seconds) await send();
    };
    await Promise.all(Array.from({ length: by.workers }, work));
  } else {
    const underWay: Promise<void>[] = [];
    while (passed() < seconds) {
      while (sent < passed() * by.perSecond) underWay.push(send());
      await delay(2);
    }
    // What was due while this process had no turn.
    while (sent < seconds * by.perSecond) underWay.push(send());
    const endedS = passed();
    await Promise.all(underWay);
    lateMs = Math.round((passed() - endedS) * 1_000);
  }
  agent.destroy();
  return {
    sent,
    statuses,
    unanswered,
    unclear,
    okPerSecond: Math.round((statuses[200] ?? 0) / passed()),
    medianMs: quantile(took.ok, 0.5),
    slowestMs: quantile(took.ok, 1),
    refusedMedianMs: quantile(took.refused, 0.5),
    lateMs,
    acknowledged,
  };
}

function connect(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request(`${url}/health/live`, { agent }, (answer) => answer.resume().on('end', resolve));
    asked.on('error', reject).end();
  });
}

function quantile(values: number[], q: number): number {
  values.sort((a, b) => a - b);
  return Math.round(values[Math.min(values.length - 1, Math.floor(q * values.length))] ?? 0);
}

if (process.env.LAUREL_TEST_LOAD !== undefined) {
  void main(JSON.parse(process.env.LAUREL_TEST_LOAD) as Load).then((loaded) => console.log(JSON.stringify(loaded)));
}
