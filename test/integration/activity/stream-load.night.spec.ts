import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { startRedis, type RedisServer } from '@laurel/servers';
import { freshPrefix, waitUntil } from '../../support';
import { scriptCalls } from './support/streaming';
import type { HostAnswer, HostMemory, HostRequest } from './support/stream-host';
import { root } from '../../support/run';

/** How many listen; the promise is of 5,000. */
const listeners = Number(process.env.STREAM_LISTENERS ?? 5_000);

/** So many connect at once: more would overrun the server's queue of connections. */
const atOnce = 200;

const program = `require('./tools/register-typescript.cjs'); require('./test/integration/activity/support/stream-host.ts');`;

let redis: RedisServer;
let host: ChildProcess;
let sockets: ListeningSocket[] = [];

beforeAll(async () => {
  redis = await startRedis();
  host = spawn(process.execPath, ['--expose-gc', '-e', program, redis.url, freshPrefix()], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
});

afterAll(async () => {
  for (const { socket } of sockets) socket.destroy();
  host.kill('SIGKILL');
  await redis.stop();
});

/** Waits for the next answer of the process. */
async function answer(): Promise<HostAnswer> {
  const [given] = (await once(host, 'message')) as [HostAnswer];
  return given;
}

function ask(request: HostRequest): Promise<HostAnswer> {
  const answered = answer();
  host.send(request);
  return answered;
}

async function memory(): Promise<HostMemory> {
  const given = await ask({ ask: 'memory' });
  if (!('residentMb' in given)) throw new Error(`The process said ${JSON.stringify(given)}.`);
  return given;
}

const mark = 'event: standings';

/** A listener of little memory: it counts events. */
class ListeningSocket {
  standings = 0;
  private rest = '';

  private constructor(readonly socket: Socket) {
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => this.take(text));
    socket.on('error', () => undefined);
  }

  static async open(url: string): Promise<ListeningSocket> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const one = new ListeningSocket(socket);
    await once(socket, 'connect');
    socket.write(`GET /ranks/day/stream HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    return one;
  }

  private take(text: string): void {
    const seen = this.rest + text;
    this.standings += seen.split(mark).length - 1;
    // The mark may come in two pieces.
    this.rest = seen.slice(1 - mark.length);
  }
}

it(`${listeners} listeners of a board cost one read a second and little memory, and each is told each change`, async () => {
  const started = await answer();
  const url = 'url' in started ? started.url : '';
  const client = new Redis(redis.url);
  await ask({ ask: 'record', userId: 'ada' });
  // One listener first: what the first of its kind costs is no listener's.
  sockets = [await ListeningSocket.open(url)];
  await waitUntil(() => sockets[0]?.standings === 1);
  const idle = await memory();

  const openedMs = performance.now();
  while (sockets.length < listeners) {
    const some = Math.min(atOnce, listeners - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: some }, () => ListeningSocket.open(url)))));
  }
  await waitUntil(() => sockets.every(({ standings }) => standings === 1), {
    withinMs: 30_000,
    what: 'the first page',
  });
  const openMs = performance.now() - openedMs;

  const readsBefore = await scriptCalls(client);
  const quietMs = performance.now();
  // Not a wait for something to happen: the time over which reads are counted.
  await delay(3_000);
  const quietS = (performance.now() - quietMs) / 1_000;
  const quietReads = (await scriptCalls(client)) - readsBefore;

  const delays: number[] = [];
  const busyMs = performance.now();
  for (const [change, userId] of ['bob', 'cyd', 'dan', 'eve', 'fay'].entries()) {
    const sentMs = performance.now();
    await ask({ ask: 'record', userId });
    await waitUntil(() => sockets.every(({ standings }) => standings === change + 2), {
      withinMs: 20_000,
      what: `everyone to be told of ${userId}`,
    });
    delays.push(performance.now() - sentMs);
  }
  const busyS = (performance.now() - busyMs) / 1_000;
  const busyReads = (await scriptCalls(client)) - readsBefore - quietReads;
  await client.quit();
  const full = await memory();
  const figures = {
    listeners,
    openMs: Math.round(openMs),
    heapOverIdleMb: Math.round(full.heapMb - idle.heapMb),
    residentOverIdleMb: Math.round(full.residentMb - idle.residentMb),
    readsASecond: Number((quietReads / quietS).toFixed(2)),
    scriptsASecondWhileItChanges: Number((busyReads / busyS).toFixed(2)),
    toldWithinMs: delays.map(Math.round),
  };
  console.info(JSON.stringify(figures));

  expect(full.heapMb - idle.heapMb).toBeLessThan(150);
  expect(full.residentMb - idle.residentMb).toBeLessThan(150);
  expect(quietReads).toBeGreaterThan(0);
  expect(quietReads).toBeLessThanOrEqual(Math.ceil(quietS) + 1);
  // Beside the reads: each recording, and where a user who is new on the page stood the day before.
  expect(busyReads).toBeLessThanOrEqual(Math.ceil(busyS) + 1 + 2 * delays.length);
  // Nobody was told the same twice, and nobody left.
  expect(new Set(sockets.map(({ standings }) => standings))).toEqual(new Set([6]));
});
