import { JwtService } from '@nestjs/jwt';
import { apiKey, ask, authSecret, ownCommunity, type OwnCommunity, Person } from '../community/support';
import { readOpenApi, type Route } from './support/routes';

/** For whom a route is. */
const routes: Readonly<Record<string, 'all' | 'user' | 'self' | 'key'>> = {
  'GET /points': 'all',
  'POST /auth/register': 'all',
  'POST /auth/login': 'all',
  'POST /auth/logout': 'user',
  'GET /articles': 'all',
  'GET /articles/{id}': 'all',
  'GET /articles/{id}/comments': 'all',
  'GET /users': 'all',
  'GET /users/{id}': 'all',
  'GET /avatars/{file}': 'all',
  'GET /ranks': 'all',
  'GET /ranks/users/{userId}': 'all',
  'GET /ranks/{leaderboard}': 'all',
  'GET /ranks/{leaderboard}/partitions': 'all',
  'GET /ranks/{leaderboard}/periods': 'all',
  'GET /ranks/{leaderboard}/stream': 'all',
  'GET /ranks/{leaderboard}/users/{userId}': 'all',
  'GET /ranks/{leaderboard}/users/{userId}/around': 'all',
  'GET /ranks/{leaderboard}/users/{userId}/history': 'all',
  'GET /ranks/{leaderboard}/users/{userId}/points': 'all',
  'GET /activity/users/{userId}/rewards': 'all',
  'POST /ranks/{leaderboard}/lookup': 'all',
  'POST /names': 'all',
  'GET /health/live': 'all',
  'GET /health/ready': 'all',
  'GET /metrics': 'all',

  'POST /articles': 'user',
  'PUT /articles/{id}': 'user',
  'PUT /profile/text': 'user',
  'DELETE /profile/text': 'user',
  'POST /articles/{id}/publish': 'user',
  'DELETE /articles/{id}/publish': 'user',
  'PUT /articles/{id}/praise': 'user',
  'DELETE /articles/{id}/praise': 'user',
  'PUT /articles/{id}/collect': 'user',
  'DELETE /articles/{id}/collect': 'user',
  'POST /articles/{id}/comments': 'user',
  'DELETE /comments/{id}': 'user',
  'PUT /users/{id}/follow': 'user',
  'DELETE /users/{id}/follow': 'user',
  'GET /follows': 'user',

  'GET /activity/users/{userId}': 'self',
  'GET /activity/users/{userId}/opt-out': 'self',
  'PUT /activity/users/{userId}/opt-out': 'self',
  'DELETE /activity/users/{userId}/opt-out': 'self',
  'GET /activity/users/{userId}/data': 'self',
  'GET /activity/users/{userId}/quota': 'self',
  'GET /activity/users/{userId}/ledger': 'self',

  'POST /activity/events': 'key',
  'POST /activity/adjustments': 'key',
  'GET /activity/adjustments': 'key',
  'GET /activity/settlement': 'key',
  'GET /activity/operations': 'key',
  'GET /activity/refusals': 'key',
  'DELETE /activity/users/{userId}': 'key',
  'POST /activity/readmissions': 'key',
  'GET /activity/erasure-receipts/{id}': 'key',
  'GET /activity/merge-receipts/{id}': 'key',
  'POST /activity/merges': 'key',
  'POST /activity/deletions': 'key',
  'GET /activity/deletion-receipts/{id}': 'key',
  'GET /activity/exclusions': 'key',
  'GET /activity/exclusions/{userId}': 'key',
  'PUT /activity/exclusions/{userId}': 'key',
  'DELETE /activity/exclusions/{userId}': 'key',
  'GET /submissions': 'key',
  'POST /submissions/{id}/approve': 'key',
  'POST /submissions/{id}/refuse': 'key',
  'GET /activity/reviews': 'key',
  'GET /activity/reviews/{id}': 'key',
  'POST /activity/reviews': 'key',
  'POST /activity/reviews/{id}/release': 'key',
  'POST /activity/reviews/{id}/void': 'key',
  'POST /activity/revaluations': 'key',
  'GET /activity/rings': 'key',
  'GET /activity/leaderboards': 'key',
  'POST /activity/leaderboards': 'key',
  'DELETE /activity/leaderboards/{name}': 'key',
  'GET /activity/rules': 'key',
  'POST /activity/rules': 'key',
  'POST /activity/simulations': 'key',
  'DELETE /activity/rules': 'key',
};

const ok = 'in';
// prettier-ignore
/** What each kind of caller is answered; `in`: neither 401 nor 403, but by the route itself. */
const matrix = {
  //                        all  user self key
  'nobody':                [ok,  401, 401, 401],
  'the user':              [ok,  ok,  ok,  403],
  'another user':          [ok,  ok,  403, 403],
  'an expired token':      [ok,  401, 403, 403],
  'a foreign signature':   [ok,  401, 403, 403],
  'a token of alg none':   [ok,  401, 403, 403],
  'a token of HS512':      [ok,  401, 403, 403],
  'the API key':           [ok,  401, ok,  ok],
  'a wrong API key':       [ok,  401, 403, 403],
  'a key cut short':       [ok,  401, 403, 403],
  'no key configured':     [ok,  401, 403, 403],
  'the user, no key':      [ok,  ok,  ok,  403],
} as const;
const columns = ['all', 'user', 'self', 'key'] as const;

describe('who may do what', () => {
  const community = ownCommunity();
  const keyless = ownCommunity(() => [{ apiKey: null }]);
  let list: readonly Route[];
  const tokens = new Map<string, string>();
  const own = new Map<OwnCommunity, string>();

  beforeAll(async () => {
    const { routes: listed } = await readOpenApi(community.app);
    // Signing out is tried last of all: it ends the token.
    const isLast = ({ path }: Route) => path === '/auth/logout';
    list = [...listed.filter((route) => !isLast(route)), ...listed.filter(isLast)];
    const user = await Person.register(community.app);
    const another = await Person.register(community.app);
    const there = await Person.register(keyless.app);
    own.set(community, user.id).set(keyless, there.id);
    const jwt = new JwtService();
    const claims = { sub: user.id };
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const later = Math.ceil((performance.timeOrigin + performance.now()) / 1_000) + 3_600;
    tokens
      .set('the user', user.token)
      .set('another user', another.token)
      .set('an expired token', jwt.sign({ ...claims, exp: later - 7_200 }, { secret: authSecret }))
      .set('a foreign signature', jwt.sign(claims, { secret: 'another secret', expiresIn: 3_600 }))
      .set('a token of alg none', `${encoded({ alg: 'none', typ: 'JWT' })}.${encoded({ ...claims, exp: later })}.x`)
      .set('a token of HS512', jwt.sign(claims, { secret: authSecret, expiresIn: 3_600, algorithm: 'HS512' }))
      .set('the API key', apiKey)
      .set('a wrong API key', `${apiKey}x`)
      .set('a key cut short', apiKey.slice(0, -1))
      .set('no key configured', apiKey)
      .set('the user, no key', there.token);
  });
  it('is said of every route that there is', () => {
    expect(list.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(Object.keys(routes).sort());
  });

  it.each(Object.keys(matrix) as (keyof typeof matrix)[])('%s', async (caller) => {
    const at = caller.endsWith('no key') || caller === 'no key configured' ? keyless : community;
    const token = tokens.get(caller);
    const expected: string[] = [];
    const found: string[] = [];
    for (const { method, path } of list) {
      const route = `${method} ${path}`;
      const kind = routes[route];
      if (!kind) continue; // the test above names it
      const userId = kind === 'self' ? (own.get(at) ?? '') : 'somebody';
      const url = path
        .replace('{leaderboard}', path.endsWith('/stream') ? 'nowhere' : 'day')
        .replace('{userId}', userId)
        .replace('{id}', '999999999')
        .replace('{file}', '1.svg');
      const body = method === 'POST' || method === 'PUT' ? { body: {} } : {};
      const { status, headers } = await ask(at.app, method, url, { ...body, ...(token !== undefined && { token }) });
      if (status === 401) expect([route, headers['www-authenticate']]).toEqual([route, 'Bearer']);
      expected.push(`${route} ${matrix[caller][columns.indexOf(kind)]}`);
      found.push(`${route} ${shown(status)}`);
    }
    expect(found).toEqual(expected);
  });
});

/** Who is let in is answered by the route: whatever it says, short of a fault of ours. */
function shown(status: number): number | string {
  return status === 401 || status === 403 || status >= 500 ? status : ok;
}
