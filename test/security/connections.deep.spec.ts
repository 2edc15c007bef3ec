import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Pool } from 'pg';
import { apiKey, ask, metricOf, ownCommunity, waitUntil } from '../community/support';
import { connected } from './support/pipeline';

const maxRequests = 8;

describe('connections that do what browsers do not', () => {
  // Never late: another's load on this machine is not what is looked at.
  const loadBounds = { maxRequests, maxLateMs: Infinity };
  const community = ownCommunity(() => [{}, { loadBounds, streams: { maxPerAddress: 4 } }]);
  let port: number;
  const sockets: Client[] = [];

  beforeAll(async () => {
    await community.app.listen(0, '127.0.0.1');
    ({ port } = community.app.getHttpServer().address() as AddressInfo);
  });
  afterEach(() => {
    for (const { socket } of sockets.splice(0)) socket.destroy();
  });

  const client = () => {
    const made = new Client(port);
    sockets.push(made);
    return made;
  };
  const becomes = (name: string, value: number) =>
    waitUntil(async () => (await metricOf(community.app, name)) === value, { what: `${name} ${value}` });
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
  const post = (path: string, bytes: number, more = '') =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\n${more}Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;
  const isWell = async () => (await ask(community.app, 'GET', '/points')).status === 200;

  it("take nobody's place by requests whose answers wait behind a stream, and keep none when they close", async () => {
    for (let round = 0; round < 3; round += 1) {
      const one = client();
      one.send(get('/ranks/day/stream') + get('/points').repeat(maxRequests));
      await waitUntil(() => one.received.includes('event: standings'));
      await becomes('laurel_requests_under_way', 0);
      expect(await isWell()).toBe(true);
      one.socket.destroy();
    }
    await becomes('laurel_stream_listeners', 0);
    expect(await isWell()).toBe(true);
  });

  it('are answered one request after the other where several are sent at once', async () => {
    const one = client();
    one.send(get('/points') + get('/nowhere') + get('/ranks/day') + get('/health/live'));
    await waitUntil(() => one.statuses.length === 4);
    expect(one.statuses).toEqual([200, 404, 200, 200]);
  });

  it('are answered again after a body that was refused before it was read', async () => {
    const one = client();
    one.send(post('/auth/login', 100_000).replace('application/json', 'application/xml') + 'x'.repeat(100_000));
    await waitUntil(() => one.statuses.length === 1);
    expect(one.statuses).toEqual([415]);
    expect(await isWell()).toBe(true);
  });

  it('send no large body to a route of the API key without it', async () => {
    const asked = async (more: string) => {
      const one = client();
      one.send(post('/activity/events', 4_000_000, more));
      await waitUntil(() => one.statuses.length === 1);
      return one.statuses;
    };
    expect(await asked('')).toEqual([401]);
    expect(await asked('Authorization: Bearer another-key\r\n')).toEqual([403]);
    const one = client();
    one.send(post('/activity/events', 13, `Authorization: Bearer ${apiKey}\r\n`) + '{"events":[]}');
    await waitUntil(() => one.statuses.length === 1);
    expect(one.statuses).toEqual([400]);
  });

  it('find out once for all at a time, and again a second later, whether the app is ready', async () => {
    const queries = jest.spyOn(community.app.get(Pool), 'query');
    const asked = () => queries.mock.calls.filter(([text]) => (text as unknown) === 'SELECT 1').length;
    const ready = () => ask(community.app, 'GET', '/health/ready');
    const answers = await Promise.all(Array.from({ length: 50 }, ready));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(asked()).toBe(1);
    await waitUntil(async () => (await ready()).status === 200 && asked() > 1);
    queries.mockRestore();
  });
});

describe('load', () => {
  const community = ownCommunity(() => [{}, { maxConnections: 2, loadBounds: { maxRequests: 100, maxLateMs: 20 } }]);
  const metric = (name: string) => metricOf(community.app, name);

  it('connections past their bound are closed and counted', async () => {
    await community.app.listen(0, '127.0.0.1');
    const { port } = community.app.getHttpServer().address() as AddressInfo;
    const open = await Promise.all([connected(port), connected(port)]);
    const third = await connected(port);
    await once(third.resume(), 'close');
    for (const socket of open) socket.destroy();
    expect(await metric('laurel_dropped_connections_total')).toBe(1);
  });

  it('requests are refused with 503 while the event loop runs too late, and counted; probes are answered', async () => {
    const refused = await waitUntil(
      async () => {
        keepBusy(60);
        const answer = await ask(community.app, 'GET', '/points');
        return answer.status === 503 ? answer : null;
      },
      { withinMs: 60_000, everyMs: 1, what: 'a refusal' },
    );
    expect(refused.headers['retry-after']).toBe('1');
    expect(refused.body).toMatchObject({ status: 503, type: 'urn:laurel:problem:overloaded' });
    expect((await ask(community.app, 'GET', '/health/live')).status).toBe(200);
    expect(await metric('laurel_shed_requests_total{reason="eventLoopDelay"}')).toBeGreaterThan(0);
    expect(await metric('laurel_refused_requests_total{status="503"}')).toBeGreaterThan(0);
  });
});

/** Keeps the event loop from everything else. */
function keepBusy(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

/** One that sends bytes, and keeps what comes. */
class Client {
  readonly socket: Socket;
  readonly closed: Promise<unknown>;
  received = '';

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1').setEncoding('latin1');
    this.socket.on('error', () => undefined).on('data', (data) => (this.received += String(data)));
    this.closed = new Promise((resolve) => this.socket.once('close', resolve));
  }

  get statuses(): number[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }

  send(text: string): void {
    this.socket.write(Buffer.from(text, 'latin1'));
  }
}
