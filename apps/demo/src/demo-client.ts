import { setTimeout as delay } from 'node:timers/promises';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The answer to a call of the demo's; the body is undefined if it is not JSON. */
export interface DemoAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** How often a call is made while the app is asked for too much at once, as at its start, when everybody arrives. */
const maxTries = 20;

/** Asks the community over HTTP, as any browser would. */
export class DemoClient {
  private token: string | undefined;

  /** @param signIn gives the client's token, again when one is refused; without it requests are anonymous. */
  constructor(
    private readonly baseUrl: string,
    private readonly signIn?: () => Promise<string>,
  ) {}

  /** The same client for someone. */
  as(signIn: () => Promise<string>): DemoClient {
    return new DemoClient(this.baseUrl, signIn);
  }

  /** As often as the app asks to come again, when it asks to. @throws Error where nobody answers in ten seconds. */
  async call(method: Method, path: string, body?: object): Promise<DemoAnswer> {
    for (let tries = 1; ; tries++) {
      this.token ??= await this.signIn?.();
      const response = await fetch(this.baseUrl + path, {
        method,
        headers: {
          ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(10_000),
      });
      const { status, headers } = response;
      const text = await response.text();
      const isLast = tries >= maxTries;
      if (status === 401 && this.signIn && !isLast) this.token = undefined;
      else if ((status === 503 || status === 429) && !isLast) await delay(Number(headers.get('retry-after')) * 1_000);
      else return { status, body: headers.get('content-type')?.includes('json') ? JSON.parse(text) : undefined };
    }
  }

  /** The body of a success. @throws Error also for an answer that is none. */
  async expect<Body>(method: Method, path: string, body?: object): Promise<Body> {
    const answer = await this.call(method, path, body);
    if (answer.status < 300) return answer.body as Body;
    throw new Error(`${method} ${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
}
