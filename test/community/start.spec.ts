import { ConsoleLogger } from '@nestjs/common';
import { join } from 'node:path';
// Private: in a process of its own nothing tells what it runs on.
import type { RunningCommunity } from '../../apps/community/src/start-community';
import { startAlone } from '../../apps/demo/src/start-alone';
import { temporaryFolder } from '../support/temporary-folder';
import { waitUntil } from '../support/wait-until';

const logger = new ConsoleLogger({ logLevels: ['fatal'] });

describe('starting the community with nothing but a secret', () => {
  const dataDir = temporaryFolder();
  const running: RunningCommunity[] = [];

  const start = async (variables: Record<string, string> = {}) => {
    const environment = {
      AUTH_SECRET: 'a-secret-of-the-tests',
      PORT: '0',
      LAUREL_DATA_DIR: dataDir,
      // Nothing is refused for being late.
      LAUREL_MAX_LATE_MS: '60000',
      ...variables,
    };
    const community = await startAlone(environment, logger);
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

  afterAll(() => Promise.all(running.map((community) => community.stop())));

  it('starts servers of its own, and finds users and points again the next time', async () => {
    const first = await start();
    expect(first.runs).toMatchObject({ prefix: 'lr', timezone: 'UTC' });
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

  it('starts no server of its own in production', async () => {
    await expect(start({ NODE_ENV: 'production' })).rejects.toThrow('REDIS_URL is not set: name a Redis');
  });

  it('says so when its port is taken, and leaves no server behind', async () => {
    const community = await start();
    const { port } = new URL(community.url);
    await expect(start({ PORT: port, LAUREL_DATA_DIR: join(dataDir, 'elsewhere') })).rejects.toThrow(
      `Port ${port} is taken: stop what listens there, or choose another with PORT.`,
    );
    await stop(community);
  });
});
