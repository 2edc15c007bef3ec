import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { LoggerService } from '@nestjs/common';
import { apiKey, authSecret, TestCommunity } from '../community/support/community';
import { ask, Person } from '../community/support/person';

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

const friend = 'https://www.example.org';

describe('what surrounds every route', () => {
  const heard = new Heard();
  let community: TestCommunity;

  beforeAll(async () => {
    community = await TestCommunity.start({}, { corsOrigins: [friend] }, heard);
  });
  afterAll(() => community.stop());

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
    expect((await ask(community.app, 'GET', '/metrics')).text).toMatch(
      /^laurel_refused_requests_total\{status="413"\} 2$/m,
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
    expect((await person.does('POST', '/articles', { title: password, body: password })).status).toBe(503);
    expect((await ask(community.app, 'POST', '/auth/login', { body: { name: 'Logged', password } })).status).toBe(503);
    expect(heard.text).toMatch(/database is away/);
    for (const secret of secrets) expect(heard.text).not.toContain(secret);
  });
});

describe('connections', () => {
  it('past their bound are closed and counted', async () => {
    const community = await TestCommunity.start({}, { maxConnections: 2 });
    try {
      await community.app.listen(0, '127.0.0.1');
      const { port } = community.app.getHttpServer().address() as AddressInfo;
      const open = await Promise.all([connected(port), connected(port)]);
      const third = await connected(port);
      await once(third.resume(), 'close');
      for (const socket of open) socket.destroy();
      const { text } = await ask(community.app, 'GET', '/metrics');
      expect(text).toMatch(/^laurel_dropped_connections_total 1$/m);
    } finally {
      await community.stop();
    }
  });
});

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}
