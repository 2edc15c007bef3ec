import { ConsoleLogger } from '@nestjs/common';
import type { PostgresServer } from '@laurel/servers';
// Private: in a process of its own nothing tells what it runs on.
import { readEnvironment } from '../../apps/community/src/environment/environment';
import { type RunningCommunity, startCommunity } from '../../apps/community/src/start-community';
import { startTestPostgres } from '../support/postgres';
import { freshPrefix, testRedisUrl } from '../support/redis';
import { waitUntil } from '../support/wait-until';

const logger = new ConsoleLogger({ logLevels: ['fatal'] });

describe('starting the community with nothing but a secret and its servers', () => {
  let postgres: PostgresServer;
  const prefix = freshPrefix();
  const running: RunningCommunity[] = [];

  const start = async (variables: Record<string, string> = {}) => {
    const environment = {
      AUTH_SECRET: 'a-secret-of-the-tests',
      PORT: '0',
      REDIS_URL: testRedisUrl(),
      DATABASE_URL: postgres.url,
      LAUREL_PREFIX: prefix,
      // Nothing is refused for being late.
      LAUREL_MAX_LATE_MS: '60000',
      ...variables,
    };
    const community = await startCommunity(readEnvironment(environment), logger);
    running.push(community);
    return community;
  };
  const stop = (community: RunningCommunity) => {
    running.splice(running.indexOf(community), 1);
    return community.stop();
  };
  const post = async (community: RunningCommunity, path: string, body: object, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const answer = await fetch(community.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as { id: string; token: string };
  };
  const entries = async (community: RunningCommunity) => {
    const answer = await fetch(`${community.url}/ranks/day`);
    return ((await answer.json()) as { entries: { score: number; user: { name: string } }[] }).entries;
  };

  beforeAll(async () => {
    postgres = await startTestPostgres();
  });
  afterAll(async () => {
    await Promise.all(running.map((community) => community.stop()));
    await postgres.stop();
  });

  it('finds users and points again the next time', async () => {
    const first = await start();
    expect(first.runs).toMatchObject({ url: first.url, prefix, timezone: 'UTC', ingestStream: null });
    expect(first.runs.postgres).toMatch(/^[^@]+:\d+\/\w+$/);
    const { token } = await post(first, '/auth/register', { name: 'Ada', password: 'a password of the tests' });
    const { id } = await post(first, '/articles', { title: 'A title', body: 'Some text.' }, token);
    await post(first, `/articles/${id}/publish`, {}, token);
    await waitUntil(async () => (await entries(first)).length === 1);
    await stop(first);
    await expect(fetch(first.url)).rejects.toThrow();
    const second = await start();
    expect(await entries(second)).toMatchObject([{ score: 10, user: { name: 'Ada' } }]);
    await stop(second);
  });

  it('says so when its port is taken', async () => {
    const community = await start();
    const { port } = new URL(community.url);
    await expect(start({ PORT: port })).rejects.toThrow(
      `Port ${port} is taken: stop what listens there, or choose another with PORT.`,
    );
    await stop(community);
  });
});
