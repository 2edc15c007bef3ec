import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { busOffset, freePort, isFree, loopback } from './ports';

describe('free ports', () => {
  it('are free, and below those that systems give to outgoing connections', async () => {
    const port = await freePort();
    expect(port).toBeLessThan(32_768);
    expect(await isFree(port)).toBe(true);
  });

  it('of a cluster node have a free bus port above', async () => {
    const port = await freePort(true);
    expect(await isFree(port + busOffset)).toBe(true);
  });

  it('are not those somebody listens on', async () => {
    const server = createServer().listen(0, loopback);
    await once(server, 'listening');
    expect(await isFree((server.address() as AddressInfo).port)).toBe(false);
    server.close();
  });
});
