import { Cluster } from 'ioredis';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { RedisOptions } from '../options/redis-options';
import { MasterConnector, ServerConnector } from './connectors';
import { createClient, failingFast } from './create-client';

describe('a connection to Redis', () => {
  it('hears an error after the first, which would end the process', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const connector = new ServerConnector({ host: '127.0.0.1', port });
    const stream = await connector.connect();
    try {
      stream.emit('error', new Error('certificate refused'));
      expect(() => stream.emit('error', new Error('alert of the server'))).not.toThrow();
      expect(connector.firstError).toEqual(new Error('certificate refused'));
    } finally {
      stream.destroy();
      server.close();
    }
  });

  it('that has ended already is closed without a timer, which would keep the process alive', async () => {
    const connector = new ServerConnector({ host: '127.0.0.1', port: 1 });
    const stream = await connector.connect();
    await new Promise((resolve) => stream.once('close', resolve));
    const timer = jest.spyOn(globalThis, 'setTimeout');
    connector.disconnect();
    expect(timer).not.toHaveBeenCalled();
    timer.mockRestore();
  });

  it('is not made once its client is closed', async () => {
    const connector = new ServerConnector({ host: '127.0.0.1', port: 1 });
    const connecting = connector.connect();
    connector.disconnect();
    await expect(connecting).rejects.toThrow('Connection is closed.');
  });

  it.each<[RedisOptions, unknown]>([
    [{ url: 'redis://127.0.0.1:1' }, ServerConnector],
    [{ url: 'unix:///run/redis.sock' }, ServerConnector],
    [{ nodes: [{ host: '127.0.0.1', port: 1 }] }, ServerConnector],
    [{ sentinels: [{ host: '127.0.0.1', port: 1 }], name: 'boards' }, MasterConnector],
  ])('is one of these by %j', (options, connector) => {
    const client = createClient(options, failingFast(900));
    const { Connector } = client instanceof Cluster ? (client.options.redisOptions ?? {}) : client.options;
    expect(Connector).toBe(connector);
    client.disconnect();
  });
});
