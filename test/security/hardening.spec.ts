import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { problemFastifyOptions } from '@laurel/activity/http';
import type { LoggerService } from '@nestjs/common';
import fastify from 'fastify';
import { apiKey, ask, authSecret, metricOf, ownCommunity, Person } from '../community/support';
import { afterThisTest } from '../support/endings';
import { connected } from './support/pipeline';

/** All that the app logs, on every level. */
class Heard implements LoggerService {
  text = '';
  readonly log = (...parts: unknown[]) => void (this.text += `${parts.map(String).join(' ')}\n`);
  readonly error = this.log;
  readonly warn = this.log;
  readonly debug = this.log;
  readonly verbose = this.log;
  readonly fatal = this.log;
}

/** As /docs says. */
const maxCommentLength = 2_000;

const friend = 'https://www.example.org';

describe('what surrounds every route', () => {
  const heard = new Heard();
  const community = ownCommunity(() => [{}, { corsOrigins: [friend] }, heard]);

  it('puts the headers on every answer, also on errors', async () => {
    for (const url of ['/', '/ranks/day', '/nowhere', '/metrics']) {
      const { headers } = await ask(community.app, 'GET', url);
      expect([url, headers]).toEqual([
        url,
        expect.objectContaining({
          'content-security-policy': expect.stringMatching(/^default-src 'none';script-src 'self';/),
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
          'referrer-policy': 'no-referrer',
          'strict-transport-security': expect.stringMatching(/^max-age=\d{8}/),
        }),
      ]);
      expect(headers).not.toHaveProperty('x-powered-by');
    }
  });

  it('names each request in its answer: by its proxy’s id, and by one of ours where that is none or hostile', async () => {
    for (const url of ['/', '/ranks/day', '/ranks/day', '/nowhere', '/metrics', '/health/live', '/articles/x']) {
      const id = async (given?: string) =>
        (await ask(community.app, 'GET', url, { headers: given === undefined ? {} : { 'x-request-id': given } }))
          .headers['x-request-id'];
      expect([url, await id('proxy-1.a:b')]).toEqual([url, 'proxy-1.a:b']);
      for (const given of [undefined, 'a b', '{"level":"fatal"}', 'x'.repeat(65)]) {
        expect([url, await id(given)]).toEqual([url, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
      }
    }
  });

  it("lets Swagger's page run its files and style itself, and run nothing inline", async () => {
    const { text, headers } = await ask(community.app, 'GET', '/docs');
    expect(headers['content-security-policy']).toMatch(/script-src 'self';style-src 'self' 'unsafe-inline'/);
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>[^<]/);
    for (const [, file = ''] of text.matchAll(/<script src="\.\/([^"]+)"/g)) {
      expect([file, (await ask(community.app, 'GET', `/${file}`)).status]).toEqual([file, 200]);
    }
  });

  it('lets pages of the origins that are named ask, and no others', async () => {
    const asked = (origin: string) => ask(community.app, 'GET', '/points', { headers: { origin } });
    expect((await asked(friend)).headers['access-control-allow-origin']).toBe(friend);
    for (const origin of ['https://evil.example', 'https://www.example.org.evil.example', 'null']) {
      expect((await asked(origin)).headers).not.toHaveProperty('access-control-allow-origin');
    }
    const preflight = await community.app.inject({
      method: 'OPTIONS',
      url: '/articles',
      headers: { origin: friend, 'access-control-request-method': 'POST' },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers['access-control-allow-methods']).toContain('POST');
    expect(preflight.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('refuses bodies past the bound of their route with 413, and counts them', async () => {
    const post = (url: string, bytes: number, token = '') =>
      ask(community.app, 'POST', url, {
        token,
        body: `{"events":"${'x'.repeat(bytes)}"}`,
        headers: { 'content-type': 'application/json' },
      });
    expect(await post('/auth/login', 700_000)).toMatchObject({ status: 413, body: { status: 413 } });
    expect((await post('/auth/login', 500_000)).status).toBe(400);
    expect((await post('/activity/events', 3_000_000, apiKey)).status).toBe(400);
    expect((await post('/activity/events', 4_300_000, apiKey)).status).toBe(413);
    expect(await metricOf(community.app, 'laurel_refused_requests_total{status="413"}')).toBe(2);
  });

  it('refuses what is longer than its bound, and takes what is as long', async () => {
    const { app } = community;
    const person = await Person.register(app, 'Lengthy');
    const id = await written(person, 'a title', 'a body');
    const long = (length: number) => 'x'.repeat(length);
    const refused = async (answer: Promise<{ status: number; body: unknown }>, path: string) =>
      expect(await answer).toMatchObject({ status: 400, body: { errors: [expect.objectContaining({ path })] } });
    const register = (name: string, password: string) =>
      ask<{ errors?: unknown }>(app, 'POST', '/auth/register', { body: { name, password } });
    await refused(register(long(41), 'a password'), 'name');
    await refused(register('Long password', long(201)), 'password');
    expect((await register('Wide password', 'é'.repeat(200))).status).toBe(201);
    expect((await register(long(40), long(200))).status).toBe(201);
    await refused(person.tries('POST', '/articles', { title: long(201), body: 'b' }), 'title');
    await refused(person.tries('POST', '/articles', { title: 't', body: long(50_001) }), 'body');
    await written(person, long(200), long(50_000));
    expect((await person.does('POST', `/articles/${id}/publish`)).status).toBeLessThan(300);
    const comments = `/articles/${id}/comments`;
    await refused(person.tries('POST', comments, { body: long(maxCommentLength + 1) }), 'body');
    expect((await person.does('POST', comments, { body: long(maxCommentLength) })).status).toBe(201);

    expect((await ask(app, 'GET', `/ranks/day/users/${long(2_048)}`)).status).toBe(400);
    const tooLong = await ask(app, 'GET', `/ranks/day/users/${long(2_049)}`);
    expect(tooLong).toMatchObject({ status: 414, body: { status: 414 } });
  });

  it('answers headers past 16 KB 431, and those that do not come 408, as problems, and closes the connection', async () => {
    await community.app.listen(0, '127.0.0.1');
    const server = community.app.getHttpServer();
    const { port } = server.address() as AddressInfo;
    const request = (bytes: number) => `GET /points HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(bytes)}\r\n\r\n`;
    const answered = await told(port, request(16_384));
    expect(answered).toMatch(
      /^HTTP\/1\.1 431 Request Header Fields Too Large\r\nContent-Type: application\/problem\+json/,
    );
    expect(await told(port, request(15_000).replace('Host: a', 'Host: a\r\nConnection: close'))).toMatch(
      /^HTTP\/1\.1 200 /,
    );
    expect(server).toMatchObject({ headersTimeout: 30_000, requestTimeout: 30_000 });
    // The same answers, where it takes less than 30 seconds.
    const http = { headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 20 };
    const hasty = fastify({ ...problemFastifyOptions, requestTimeout: 50, http });
    afterThisTest(() => hasty.close());
    await hasty.listen({ port: 0, host: '127.0.0.1' });
    const { port: ofHasty } = hasty.server.address() as AddressInfo;
    expect(await told(ofHasty, 'GET / HTTP/1.1\r\nHost: a\r\n')).toMatch(
      /^HTTP\/1\.1 408 Request Timeout\r\n[^]*"status":408/,
    );
  });

  it('logs no secret, whatever goes wrong', async () => {
    const password = 'hunter2 hunter2 hunter2';
    const person = await Person.register(community.app);
    const secrets = [apiKey, authSecret, password, person.token, 'a password of the tests', community.postgres.url];
    await ask(community.app, 'POST', '/auth/register', { body: { name: 'Logged', password } });
    await ask(community.app, 'POST', '/auth/login', { body: { name: 'Logged', password: `${password}!` } });
    await ask(community.app, 'POST', '/auth/login', { body: { name: { password }, password } });
    await ask(community.app, 'POST', '/auth/login', {
      body: `{"password":"${password}`,
      headers: { 'content-type': 'application/json' },
    });
    await ask(community.app, 'GET', `/ranks/${apiKey}?token=${person.token}`, { token: person.token });
    await ask(community.app, 'POST', '/activity/events', { token: `${apiKey}x`, body: { events: [] } });
    await community.postgres.stop();
    expect((await person.tries('POST', '/articles', { title: password, body: password })).status).toBe(503);
    expect((await ask(community.app, 'POST', '/auth/login', { body: { name: 'Logged', password } })).status).toBe(503);
    expect(heard.text).toMatch(/database is away/);
    for (const secret of secrets) expect(heard.text).not.toContain(secret);
  });
});

async function written(person: Person, title: string, body: string): Promise<string> {
  const answer = await person.does<{ id: string }>('POST', '/articles', { title, body });
  expect(answer.status).toBe(201);
  return answer.body.id;
}

/** All that is answered to what is sent, until the connection is closed. */
async function told(port: number, request: string): Promise<string> {
  const socket = await connected(port);
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  socket.write(request);
  await once(socket, 'close');
  return text;
}

describe('in production', () => {
  const community = ownCommunity(() => [{}, { closesOperations: true }]);

  it('figures and the description of the routes are for who has a key', async () => {
    const { token } = await Person.register(community.app);
    for (const url of ['/metrics', '/docs', '/docs-json', '/docs/swagger-ui.css']) {
      const statuses = [undefined, token, `${apiKey}x`, apiKey].map(
        async (one) => (await ask(community.app, 'GET', url, { ...(one !== undefined && { token: one }) })).status,
      );
      expect([url, ...(await Promise.all(statuses))]).toEqual([url, 401, 403, 403, 200]);
    }
    expect((await ask(community.app, 'GET', '/health/live')).status).toBe(200);
  });

  it('signing out ends a token, and none of the same user’s others', async () => {
    const person = await Person.register(community.app);
    const body = { name: person.name, password: 'a password of the tests' };
    const other = (await ask<{ token: string }>(community.app, 'POST', '/auth/login', { body })).body.token;
    expect((await person.tries('POST', '/auth/logout')).status).toBe(204);
    for (const url of ['/follows', `/activity/users/${person.id}`]) {
      expect([url, (await person.tries('GET', url)).status]).toEqual([url, url === '/follows' ? 401 : 403]);
      expect((await ask(community.app, 'GET', url, { token: other })).status).toBe(200);
    }
    expect((await person.tries('POST', '/auth/logout')).status).toBe(401);
  });
});
