import { findRunningRedis, type RedisServer, startRedis } from '@laurel/servers';
import { Redis } from 'ioredis';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterThisTest } from '../../support/endings';
import { temporaryFolder } from '../../support/temporary-folder';
import { waitUntil } from '../../support/wait-until';
import { startParent } from './parent';

describe('a private Redis', () => {
  const start = async (...options: Parameters<typeof startRedis>): Promise<RedisServer> => {
    const server = await startRedis(...options);
    afterThisTest(() => server.kill());
    return server;
  };
  const connect = (server: RedisServer, { commandTimeout = 10_000 } = {}): Redis => {
    const client = new Redis(server.url, { commandTimeout });
    client.on('error', () => undefined); // expected while the server is away
    afterThisTest(() => client.disconnect());
    return client;
  };
  const dataDir = temporaryFolder('each test');
  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  it('answers as soon as it is given, on the loopback address alone', async () => {
    const redis = connect(await start());
    expect(await redis.ping()).toBe('PONG');
    expect(await redis.config('GET', 'bind')).toEqual(['bind', '127.0.0.1']);
  });

  it('begins empty where it has no data folder, whatever another server of its port has left', async () => {
    const before = await start();
    await before.stop();
    const { port } = before;
    const left = join(tmpdir(), `laurel-${port}.rdb`);
    await writeFile(left, 'no snapshot');
    afterThisTest(() => rm(left));
    expect(await connect(await start({ port })).dbsize()).toBe(0);
  });

  it('is gone once it is stopped', async () => {
    const server = await start();
    await server.stop();
    expect(isAlive(server.pid)).toBe(false);
  });

  it('comes back on its port after it was killed, and clients find it again', async () => {
    const server = await start();
    const redis = connect(server);
    await redis.ping();
    const pid = server.pid;
    await server.kill();
    expect(isAlive(pid)).toBe(false);
    await server.restart();
    expect(server.pid).not.toBe(pid);
    expect(await redis.ping()).toBe('PONG');
  });

  it('keeps what it was told when it has a data folder', async () => {
    const server = await start({ dataDir });
    const redis = connect(server);
    await redis.set('kept', 'yes');
    await server.restart();
    expect(await redis.get('kept')).toBe('yes');
  });

  it('lets no second server into its data folder, and can be found there', async () => {
    const server = await start({ dataDir });
    expect(await findRunningRedis(dataDir)).toBe(server.url);
    await expect(startRedis({ dataDir })).rejects.toMatchObject({
      code: 'dataDirInUse',
      message: expect.stringContaining(`process ${server.pid}, ${server.url}`),
    });
    await server.kill();
    expect(await findRunningRedis(dataDir)).toBeUndefined();
  });

  it('answers nothing while it is paused, and all when it goes on', async () => {
    const server = await start();
    const [patient, hasty] = [connect(server), connect(server, { commandTimeout: 250 })];
    await patient.ping();
    server.pause();
    await expect(hasty.ping()).rejects.toThrow('Command timed out');
    server.resume();
    expect(await patient.ping()).toBe('PONG');
  });

  it('gives servers that start at the same time ports of their own', async () => {
    const started = await Promise.all([1, 2, 3, 4].map(() => start()));
    expect(new Set(started.map(({ port }) => port)).size).toBe(4);
  });

  it('is refused a port that is taken, with what the server said', async () => {
    const { port } = await start();
    await expect(startRedis({ port })).rejects.toMatchObject({
      code: 'startFailed',
      message: expect.stringContaining('Address already in use'),
    });
  });

  it('tells which argument the server refused', async () => {
    await expect(startRedis({ args: ['--no-such-option', 'x'] })).rejects.toMatchObject({
      code: 'startFailed',
      message: expect.stringContaining('no-such-option'),
    });
  });

  it('never outlives its parent, even one that is killed', async () => {
    const parent = await startParent();
    expect(isAlive(parent.redisPid)).toBe(true);
    parent.kill();
    await waitUntil(() => !isAlive(parent.redisPid), { what: 'the end of the Redis of a killed parent' });
  });
});
