import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import * as fc from 'fast-check';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { apiKey, ownCommunity } from '../../community/support/community';
import { ask, Person } from '../../community/support/person';
import { seed } from '../../support/seed';
import { waitUntil } from '../../support/wait-until';
import { pipeline } from './pipeline';
import { type OpenApi, readOpenApi, type Route } from './routes';
import { type GeneratedRequest, Requests } from './requests';

const atOnce = 16;
/** Each of these costs a hash of a password, on purpose slow. */
const slow: readonly string[] = ['/auth/register', '/auth/login'];
const maxGrowthMb = 40;
/** One in so many goes over a connection, behind others on it, past the bounds of load; the rest without a network. */
const oneInWired = 10;
const pipelined = 8;
/** So often one request may find Redis or PostgreSQL late on a busy machine, while it is the only one. */
const maxTries = 4;
/** Never reached: that they are there is what counts. */
const bounds = {
  loadBounds: { maxRequests: 1_000, maxLateMs: Infinity },
  throttle: { requestsPerMinute: 1_000_000, signInsPerAddress: 1_000_000, triesPerName: 1_000_000 },
};

/**
 * Sends so many requests, drawn from what the app says of itself, and looks at each answer.
 * @param slowRequests how many of them go to each route that is slow.
 */
export function describeGeneratedRequests(total: number, slowRequests: number): void {
  const community = ownCommunity(() => [{}, bounds]);
  let api: OpenApi;
  let requests: Requests;

  beforeAll(async () => {
    await community.app.listen(0, '127.0.0.1');
    api = await readOpenApi(community.app);
    const person = await Person.register(community.app);
    const other = await Person.register(community.app);
    const article = await person.writes();
    const comment = await person.comments(await other.writes());
    requests = new Requests(
      api,
      {
        leaderboard: ['day', 'week', 'month', 'all', 'category-week'],
        partition: ['technology', 'general'],
        category: ['technology', 'general'],
        userId: [other.id, '42', 'someone', '{a}:b'],
        ownerId: [person.id, '42'],
        id: [article, comment, other.id, '1', '999999'],
        file: [`${person.id}.svg`],
        period: ['current', 'previous', '2026-11-20', '2026-11', '2026-W47', 'all'],
        from: ['2026-11-01'],
        to: ['2026-11-20'],
        date: ['2026-11-20'],
        action: ['view', 'praise', 'comment', 'nothing'],
        subject: ['article:1', 'user:42'],
        occurredAt: [new Date(performance.timeOrigin + performance.now()).toISOString(), '2026-11-20T08:12:01.123Z'],
        grantedAt: ['2026-11-20T08:12:01.123Z'],
      },
      [undefined, person.token, person.token, apiKey, apiKey, apiKey, 'a.b.c', '__proto__'],
    );
  });

  it(`at least ${total} are each answered as documented, or refused with a problem`, async () => {
    const judge = new Judge(api);
    // To sign out would end the token of all that follows.
    const asked = api.routes.filter(({ path }) => path !== '/auth/logout');
    const share = Math.ceil((total - slow.length * slowRequests) / (asked.length - slow.length));
    const drawn = asked.flatMap((route, i) =>
      fc.sample(requests.to(route), {
        seed: seed + i,
        numRuns: slow.includes(route.path) ? slowRequests : share,
      }),
    );
    const order = fc.sample(fc.shuffledSubarray(drawn, { minLength: drawn.length }), { seed, numRuns: 1 })[0] ?? [];
    // Drawing them kept everything else from running, also what keeps connections to the database.
    await waitUntil(async () => (await ask(community.app, 'GET', '/articles')).status === 200);
    const wired = order.filter((_, i) => i % oneInWired === 0);
    const injected = order.filter((_, i) => i % oneInWired !== 0);
    // What is refused for the moment is asked again when nothing else is; what is a fault of ours comes again.
    const refused: GeneratedRequest[] = [];
    let recovery: Promise<unknown> | undefined;
    const recover = async () => {
      await isReady();
      recovery = undefined;
    };
    const hear = async (request: GeneratedRequest, heard: Heard) => {
      if (heard.status !== 503) return judge.hear(request, heard);
      judge.hearRefusal(request, heard);
      refused.push(request);
      await (recovery ??= recover());
    };
    const askAgain = async (request: GeneratedRequest) => {
      let last = await send(request);
      for (let tries = 1; last.status === 503 && tries < maxTries; tries += 1) {
        await recover();
        last = await send(request);
      }
      judge.hear(request, last);
    };
    let next = 0;
    const worker = async (end: number) => {
      while (next < end) {
        const request = injected[next++] as GeneratedRequest;
        await hear(request, await send(request));
      }
    };
    const wire = async (from: number, end: number) => {
      for (let at = from; at < end; at += pipelined) {
        const batch = wired.slice(at, Math.min(end, at + pipelined));
        const sent = batch.map((request) => ({
          ...request,
          method: request.route.method,
          url: urlOf(request),
          payload: request.payload,
        }));
        const answers = await pipeline(community.app.getHttpServer(), sent);
        for (const [i, request] of batch.entries()) await hear(request, answers[i] as Heard);
      }
    };
    const until = (end: number) => Array.from({ length: atOnce }, () => worker(end));
    const half = (count: number) => Math.floor(count / 2);
    await Promise.all([...until(half(injected.length)), wire(0, half(wired.length))]);
    const halfway = memoryMb();
    await Promise.all([...until(injected.length), wire(half(wired.length), wired.length)]);
    for (const request of refused) await askAgain(request);
    const end = memoryMb();
    const growthMb = end.heap - halfway.heap;
    process.stdout.write(
      `${order.length} requests, ${wired.length} of them over connections, ${refused.length} asked again after a 503: ` +
        `${judge.summary()}; the heap grew by ` +
        `${growthMb.toFixed(1)} MB, what is outside by ${(end.external - halfway.external).toFixed(1)} MB, ` +
        `the process by ${(end.rss - halfway.rss).toFixed(1)} MB\n`,
    );
    expect(judge.worst(20)).toEqual([]);
    expect(refused.length).toBeLessThan(order.length / 10);
    expect(order.length).toBeGreaterThanOrEqual(total);
    expect(judge.succeeded()).toBeGreaterThan(order.length / 20);
    expect(growthMb).toBeLessThan(maxGrowthMb);
    expect(end.external - halfway.external).toBeLessThan(maxGrowthMb);
    expect((await ask(community.app, 'GET', '/metrics')).text).toMatch(/^laurel_requests_under_way 0$/m);
    await isReady();
  });

  it('that no client library would send are refused with a problem, or cut', async () => {
    const { port } = community.app.getHttpServer().address() as AddressInfo;
    const host = 'Host: localhost\r\n';
    const json = 'Content-Type: application/json\r\n';
    const texts = [
      `GET /ranks/day HTTP/1.1\r\n\r\n`,
      `GET /ranks/day HTTP/9.9\r\n${host}\r\n`,
      `BREW /ranks/day HTTP/1.1\r\n${host}\r\n`,
      `GET /ranks/day HTTP/1.1\r\n${host}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
      `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`,
      `GET /ranks/day HTTP/1.1\r\n${host}Bad Header\r\n\r\n`,
      `GET /ranks/day HTTP/1.1\r\n${host}X: a\0b\r\n\r\n`,
      `GET /ranks/\xff\xfe HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
      `GET /ranks/% HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
      `POST /auth/login HTTP/1.1\r\n${host}${json}Content-Length: -1\r\n\r\n`,
      `POST /auth/login HTTP/1.1\r\n${host}${json}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}`,
      `POST /auth/login HTTP/1.1\r\n${host}${json}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`,
      `POST /auth/login HTTP/1.1\r\n${host}${json}Transfer-Encoding: gzip\r\n\r\n{}`,
      `POST /auth/login HTTP/1.1\r\n${host}${json}Content-Length: 99999999\r\n\r\n{`,
      `POST /auth/login HTTP/1.1\r\n${host}${json}Content-Length: 100\r\n\r\n{"name":`,
      `\0\0\0\0`,
      `\x16\x03\x01\x02\x00\x01\x00`,
    ];
    for (let round = 0; round < total / 1_000; round++) {
      const answers = await Promise.all(texts.map((text) => sendRaw(port, text)));
      answers.forEach((answer, i) => {
        const status = Number(/^HTTP\/1.1 (\d{3})/.exec(answer)?.[1] ?? 0);
        const isProblem = /^content-type: application\/problem\+json/im.test(answer);
        const isRight = status === 0 || (status >= 400 && status < 500 && isProblem);
        expect([texts[i]?.slice(0, 80), isRight ? 'refused' : answer.slice(0, 300)]).toEqual([
          texts[i]?.slice(0, 80),
          'refused',
        ]);
      });
    }
    await isReady();
  });

  /** A busy machine may make it wait. */
  function isReady(): Promise<unknown> {
    return waitUntil(async () => (await ask(community.app, 'GET', '/health/ready')).status === 200);
  }

  async function send(request: GeneratedRequest): Promise<Heard> {
    const { route, headers, payload } = request;
    const asked = { method: route.method, url: urlOf(request), headers: { ...headers } };
    const body = payload !== undefined && { payload };
    try {
      const { statusCode, headers: answered, payload: text } = await community.app.inject({ ...asked, ...body });
      return { status: statusCode, type: String(answered['content-type'] ?? ''), text };
    } catch (error) {
      // An answer that has begun cannot become a 503 any more: it is cut, and its client asks again.
      if (!(error instanceof Error) || error.message !== 'response destroyed before completion') throw error;
      return { status: 503, type: 'application/problem+json', text: error.message };
    }
  }
}

/** A stream that is let in never ends: tests of its own listen to those. */
function urlOf({ route, url }: GeneratedRequest): string {
  const isStream = route.path.endsWith('/stream');
  return isStream ? url.replace(/\/(day|week|month|all|category-week)\/stream/, '/none/stream') : url;
}

interface Heard {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Holds answers against the document. */
class Judge {
  readonly faults: string[] = [];
  private readonly statuses = new Map<number, number>();
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false });
  private readonly validators = new Map<string, ValidateFunction | null>();

  constructor(private readonly api: OpenApi) {}

  hear({ route, url, payload, headers }: GeneratedRequest, { status, type, text }: Heard): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    const fault = this.faultOf(route, { status, type, text });
    if (fault === null) return;
    const asked = `${route.method} ${url.slice(0, 300)} ${JSON.stringify(headers).slice(0, 200)} ${payload?.slice(0, 300) ?? ''}`;
    this.faults.push(`${asked} -> ${status} ${fault}: ${text.slice(0, 200)}`);
  }

  /** A 503, which a client repeats. */
  hearRefusal({ route, url }: GeneratedRequest, { status, type, text }: Heard): void {
    if (type.startsWith('application/problem+json')) return;
    this.faults.push(`${route.method} ${url.slice(0, 300)} -> ${status} is no problem document: ${text.slice(0, 200)}`);
  }

  /** The faults of the app itself first. */
  worst(count: number): string[] {
    const isOurs = (fault: string) => Number(!/ -> 5\d\d /.test(fault));
    return [...this.faults].sort((a, b) => isOurs(a) - isOurs(b)).slice(0, count);
  }

  succeeded(): number {
    return [...this.statuses].reduce((sum, [status, count]) => sum + (status < 300 ? count : 0), 0);
  }

  summary(): string {
    return [...this.statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', ');
  }

  private faultOf(route: Route, { status, type, text }: Heard): string | null {
    if (status >= 500) return 'is a fault of ours';
    if (status >= 400) {
      if (!type.startsWith('application/problem+json')) return `is no problem document but ${type}`;
      const problem = JSON.parse(text) as Record<string, unknown>;
      const isWhole = ['type', 'title', 'detail'].every((name) => typeof problem[name] === 'string');
      return isWhole && problem.status === status ? null : 'is no whole problem document';
    }
    if (status === 304) return null;
    const documented = route.responses[String(status)];
    if (!documented) return 'is not documented';
    if (!type.includes('json')) return null;
    const validate = this.validator(
      `${route.method} ${route.path} ${status}`,
      documented.content?.['application/json']?.schema,
    );
    return !validate || validate(JSON.parse(text))
      ? null
      : `breaks its schema: ${this.ajv.errorsText(validate.errors)}`;
  }

  private validator(key: string, schema: object | undefined): ValidateFunction | null {
    let found = this.validators.get(key);
    if (found === undefined) {
      found = schema ? this.ajv.compile({ ...schema, components: this.api.components }) : null;
      this.validators.set(key, found);
    }
    return found;
  }
}

/** What comes back for bytes as they are, until the other side ends, or half a second after they were sent. */
async function sendRaw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let answer = '';
  socket.on('data', (data) => (answer += String(data))).on('error', () => undefined);
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  socket.setTimeout(500, () => socket.destroy());
  socket.write(Buffer.from(text, 'latin1'));
  await closed;
  return answer;
}

/** What is held, after a collection. */
function memoryMb(): { readonly heap: number; readonly external: number; readonly rss: number } {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed / 1_048_576, external: external / 1_048_576, rss: rss / 1_048_576 };
}
