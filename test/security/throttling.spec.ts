import { afterThisTest } from '../support/endings';
import { ownRedis } from '../support/own-servers';
import { apiKey, ask, metricOf, ownCommunity, Person, TestCommunity, waitUntil } from '../community/support';

const password = 'a password of the tests';

describe('too many requests', () => {
  const own = ownRedis();
  const community = ownCommunity(() => [
    { redis: { url: own.servers.url } },
    { throttle: { requestsPerMinute: 50, signInsPerAddress: 12, triesPerName: 3 }, trustProxy: 1 },
  ]);

  /** As a client at an address, behind the one proxy that is trusted. */
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  const signIn = (name: string, address: string, given = password) =>
    ask<{ detail: string }>(community.app, 'POST', '/auth/login', {
      body: { name, password: given },
      ...from(address),
    });
  const metric = (limit: string) => metricOf(community.app, `laurel_throttled_requests_total{limit="${limit}"}`);

  it('of an address are answered 429 with Retry-After, as a problem, and counted', async () => {
    const read = () => ask(community.app, 'GET', '/points', from('192.0.2.1'));
    for (let i = 0; i < 50; i++) expect((await read()).status).toBe(200);
    const refused = await read();
    expect(refused.status).toBe(429);
    expect(refused.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(refused.body).toMatchObject({ status: 429, title: 'Too Many Requests', detail: expect.any(String) });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(await metric('requests')).toBeGreaterThan(0);

    expect((await ask(community.app, 'GET', '/points', from('192.0.2.2'))).status).toBe(200);
    expect((await ask(community.app, 'GET', '/health/live', from('192.0.2.1'))).status).toBe(200);
  });

  it('never refuses the API key, and a wrong one like anybody', async () => {
    const read = (token: string) => ask(community.app, 'GET', '/points', { token, ...from('192.0.2.3') });
    for (let i = 0; i < 120; i++) expect((await read(apiKey)).status).toBe(200);
    const statuses = new Set<number>();
    for (let i = 0; i < 60; i++) statuses.add((await read('another-key')).status);
    expect([...statuses]).toEqual([200, 429]);
  });

  it('of a signed-in user are counted for the user, from any address', async () => {
    const person = await Person.register(community.app);
    const read = (i: number) =>
      ask(community.app, 'GET', '/points', { token: person.token, ...from(`198.51.100.${i}`) });
    for (let i = 0; i < 50; i++) expect((await read(i)).status).toBe(200);
    expect((await read(99)).status).toBe(429);
    expect((await ask(community.app, 'GET', '/points', from('198.51.100.99'))).status).toBe(200);
  });

  it('counts a network of IPv6 as one address', async () => {
    for (let i = 0; i < 50; i++) await ask(community.app, 'GET', '/points', from(`2001:db8::${i.toString(16)}`));
    expect((await ask(community.app, 'GET', '/points', from('2001:db8::ffff'))).status).toBe(429);
    expect((await ask(community.app, 'GET', '/points', from('2001:db8:0:1::1'))).status).toBe(200);
  });

  it('of signing in are slowed for a name, whatever its capitals and the address; right passwords are not counted, and let in', async () => {
    const { name } = await Person.register(community.app, 'Sophie');
    for (let i = 0; i < 5; i++) expect((await signIn(name, `203.0.113.${i}`)).status).toBe(200);
    // One of the three went to the registration.
    expect((await signIn(name, '203.0.113.20', 'wrong password')).status).toBe(401);
    // The database takes this for the same name; JavaScript's lower case of it is another.
    expect((await signIn(' SOPHİE ', '203.0.113.21', 'wrong password')).status).toBe(401);
    const began = performance.now();
    expect((await signIn(name, '203.0.113.22')).status).toBe(200);
    expect(performance.now() - began).toBeGreaterThan(990);
    expect(await metric('name')).toBe(1);
  });

  it('counts guesses that are made at once', async () => {
    await Person.register(community.app, 'Emmy');
    const guess = (i: number) => signIn('Emmy', `203.0.113.${i}`, `guess number ${i}`);
    const guesses = Array.from({ length: 40 }, (_, i) => guess(40 + i));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    // Two at once, then as many as wait, one of the three having been the registration; a place is free after a second.
    const refused = statuses.filter((status) => status === 429).length;
    expect([1, 2, 3, 4, 5, 6]).toContain(refused);
    expect(statuses.filter((status) => status === 401)).toHaveLength(40 - refused);
  });

  it('of signing in are bounded for an address, and while Redis is away', async () => {
    const tries = async (address: string, count: number) => {
      const statuses: number[] = [];
      for (let i = 0; i < count; i++) statuses.push((await signIn(`nobody ${address} ${i}`, address)).status);
      return statuses;
    };
    const all = (count: number, status: number) => Array<number>(count).fill(status);
    expect(await tries('203.0.113.80', 13)).toEqual([...all(12, 401), 429]);
    expect(await metric('address')).toBe(1);

    const { token } = await Person.register(community.app);
    await own.servers.stop();
    await waitUntil(async () => (await ask(community.app, 'GET', '/health/ready')).status === 503);
    expect(await tries('203.0.113.81', 13)).toEqual([...all(12, 401), 429]);
    expect((await ask(community.app, 'GET', '/follows', { token })).status).toBe(200);
    expect((await ask(community.app, 'POST', '/auth/logout', { token })).status).toBe(503);
  });
});

it('several instances count sign-ins together', async () => {
  const own = { throttle: { requestsPerMinute: 1_000, signInsPerAddress: 4, triesPerName: 100 } };
  const first = await TestCommunity.start({}, own);
  const second = await TestCommunity.start({ prefix: first.prefix }, own);
  for (const one of [first, second]) afterThisTest(() => one.stop());
  const statuses: number[] = [];
  for (const { app } of [first, second, first, second, first, second]) {
    statuses.push((await ask(app, 'POST', '/auth/login', { body: { name: 'Nobody', password } })).status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
});

const community = ownCommunity(() => [
  {},
  { throttle: { requestsPerMinute: 5, signInsPerAddress: 100, triesPerName: 100 } },
]);

it('X-Forwarded-For is not believed unless a proxy is trusted', async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 6; i++) {
    const headers = { 'x-forwarded-for': `192.0.2.${i}` };
    statuses.push((await ask(community.app, 'GET', '/points', { headers })).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});
