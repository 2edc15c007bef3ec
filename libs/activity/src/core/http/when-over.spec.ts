import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { whenOver } from './when-over';

/** A server that answers nothing by itself; what it was asked, and how often each of those was over. */
async function started() {
  const asked: { url: string; response: ServerResponse; overs: number }[] = [];
  const server = createServer((request, response) => {
    const one = { url: request.url ?? '', response, overs: 0 };
    asked.push(one);
    whenOver(response, request.socket, () => (one.overs += 1));
    server.emit('asked');
  });
  let connection: Socket | undefined;
  server.on('connection', (made) => (connection = made));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  const ask = async (...urls: string[]) => {
    const until = asked.length + urls.length;
    socket.write(urls.map((url) => `GET ${url} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
    while (asked.length < until) await once(server, 'asked');
  };
  const leave = async () => {
    socket.destroy();
    // Not `once`, which rejects where the connection was reset.
    await new Promise((resolve) => connection?.once('close', resolve));
    server.close();
  };
  return { asked, ask, leave };
}

const oversOf = (asked: readonly { readonly overs: number }[]) => asked.map(({ overs }) => overs);

describe('whenOver', () => {
  it('tells each of many requests on one connection of its end, also those that wait for their turn', async () => {
    const warnings: string[] = [];
    const hear = ({ name }: Error) => void warnings.push(name);
    process.on('warning', hear);
    const { asked, ask, leave } = await started();
    await ask(...Array.from({ length: 30 }, (_, n) => `/${n}`));
    asked[1]?.response.end('waits behind the first');
    expect(oversOf(asked)).toEqual(Array(30).fill(0));
    await leave();
    expect(oversOf(asked)).toEqual(Array(30).fill(1));
    process.off('warning', hear);
    expect(warnings).toEqual([]);
  });

  it('tells it once where it is answered and the connection closed, and at once where it is closed already', async () => {
    const { asked, ask, leave } = await started();
    await ask('/first', '/second');
    asked[0]?.response.end('done');
    await once(asked[0]?.response as ServerResponse, 'close');
    expect(oversOf(asked)).toEqual([1, 0]);
    await leave();
    expect(oversOf(asked)).toEqual([1, 1]);
    let overs = 0;
    const { response } = asked[1] as (typeof asked)[number];
    whenOver(response, { once: () => undefined, destroyed: true }, () => (overs += 1));
    expect(overs).toBe(1);
  });
});
