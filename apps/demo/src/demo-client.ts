import { setTimeout as delay } from 'node:timers/promises';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What a call of the demo's came to. */
export interface DemoAnswer {
  readonly status: number;
  /** Undefined where the answer is no JSON. */
  readonly body: unknown;
}

/** How often a call is made while the app is asked for too much at once, as at its start, when everybody arrives. */
const maxTries = 20;

/** Signs in, and gives the token. */
export type SignIn = () => Promise<string>;

/** Asks the community over HTTP, as any browser would. */
export class DemoClient {
  private token: string | undefined;

  /** @param signIn how the client signs in, again when a token is refused; without it requests are anonymous. */
  constructor(
    private readonly baseUrl: string,
    private readonly signIn?: SignIn,
  ) {}

  /** The same client for someone. */
  as(signIn: SignIn): DemoClient {
    return new DemoClient(this.baseUrl, signIn);
  }

  /** @throws Error where nobody answers within ten seconds. */
  async call(method: Method, path: string, body?: object): Promise<DemoAnswer> {
    if (!this.signIn) return this.send(method, path, body);
    this.token ??= await this.signIn();
    const answer = await this.send(method, path, body);
    if (answer.status !== 401) return answer;
    this.token = await this.signIn();
    return this.send(method, path, body);
  }

  /** The body of a success. @throws Error also for an answer that is none. */
  async expect<Body>(method: Method, path: string, body?: object): Promise<Body> {
    const answer = await this.call(method, path, body);
    if (answer.status < 300) return answer.body as Body;
    throw new Error(`${method} ${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }

  /** As often as the app asks to come again, when it asks to. */
  private async send(method: Method, path: string, body: object | undefined): Promise<DemoAnswer> {
    for (let tries = 1; ; tries++) {
      const response = await this.fetch(method, path, body);
      const comeAgainS = Number(response.headers.get('retry-after') ?? Number.NaN);
      const text = await response.text();
      if ((response.status === 503 || response.status === 429) && comeAgainS >= 0 && tries < maxTries) {
        await delay(comeAgainS * 1_000);
        continue;
      }
      const isJson = response.headers.get('content-type')?.includes('json') === true;
      return { status: response.status, body: isJson ? (JSON.parse(text) as unknown) : undefined };
    }
  }

  private fetch(method: Method, path: string, body: object | undefined): Promise<Response> {
    return fetch(this.baseUrl + path, {
      method,
      headers: {
        ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    });
  }
}
