import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { randomUUID } from 'node:crypto';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** An answer: its status, headers, and body read as JSON where there is one. */
export interface Answer<Body = unknown> {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Body;
  readonly text: string;
}

/** A request as `token` makes it; nobody's without one. */
export async function ask<Body = Record<string, never>>(
  app: NestFastifyApplication,
  method: Method,
  url: string,
  { token, body, headers = {} }: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer<Body>> {
  const sent = { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers };
  const payload = body !== undefined && { payload: body as object };
  const answer = await app.inject({ method, url, headers: sent, ...payload });
  const { statusCode: status, headers: answered, payload: text } = answer;
  const isJson = /json/.test(String(answered['content-type']));
  return { status, headers: answered, body: (isJson ? JSON.parse(text) : undefined) as Body, text };
}

/** A metric's value, by its name and labels; not a number where it has none now. */
export async function metricOf(app: NestFastifyApplication, name: string): Promise<number> {
  const { text } = await ask(app, 'GET', '/metrics');
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length),
  );
}

/** A registered user who does things over HTTP. */
export class Person {
  private constructor(
    private readonly app: NestFastifyApplication,
    readonly id: string,
    readonly name: string,
    readonly token: string,
  ) {}

  static async register(app: NestFastifyApplication, name = `p-${randomUUID().slice(0, 13)}`): Promise<Person> {
    const { status, body, text } = await ask<{ token: string; user: { id: string } }>(app, 'POST', '/auth/register', {
      body: { name, password: 'a password of the tests' },
    });
    if (status !== 201) throw new Error(`Registering ${name} gave ${status}: ${text}`);
    return new Person(app, body.user.id, name, body.token);
  }

  /** Asks for something, which may be refused. */
  tries<Body = Record<string, unknown>>(method: Method, url: string, body?: unknown): Promise<Answer<Body>> {
    return ask<Body>(this.app, method, url, { token: this.token, body });
  }

  /** Does something. @throws Error where it is refused. */
  async does<Body = Record<string, unknown>>(method: Method, url: string, body?: unknown): Promise<Answer<Body>> {
    const answer = await this.tries<Body>(method, url, body);
    if (answer.status >= 300) throw new Error(`${method} ${url} gave ${answer.status}: ${answer.text}`);
    return answer;
  }

  /** Writes an article and, unless told not to, puts it online. Gives its id. */
  async writes({
    publish = true,
    title = 'A title',
    category,
  }: { publish?: boolean; title?: string; category?: string } = {}): Promise<string> {
    const { body } = await this.does<{ id: string }>('POST', '/articles', { title, body: 'Some text.', category });
    if (publish) await this.does('POST', `/articles/${body.id}/publish`);
    return body.id;
  }

  /** Comments on an article. Gives the comment's id. */
  async comments(articleId: string, text = 'Well said.'): Promise<string> {
    const { body } = await this.does<{ id: string }>('POST', `/articles/${articleId}/comments`, { body: text });
    return body.id;
  }
}
