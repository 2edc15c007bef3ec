import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Server } from 'node:http';

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: string | undefined;
}

/** What came back. */
export interface WireAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/**
 * Sends requests over one connection without waiting for answers. If an answer closes the connection, sends the later
 * requests again on another one, as clients do.
 */
export async function pipeline(server: Server, requests: readonly WireRequest[]): Promise<WireAnswer[]> {
  const answers: WireAnswer[] = [];
  while (answers.length < requests.length) {
    const left = requests.slice(answers.length);
    const come = await exchange(server, left);
    if (come.length === 0) throw new Error(`No answer to ${JSON.stringify(left[0]).slice(0, 500)}.`);
    answers.push(...come);
  }
  return answers;
}

async function exchange(server: Server, requests: readonly WireRequest[]): Promise<WireAnswer[]> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.setTimeout(60_000, () => socket.destroy());
  requests.forEach((request, i) => socket.write(textOf(request, i === requests.length - 1)));
  await closed;
  return answersIn(Buffer.concat(parts).toString('latin1'));
}

function textOf({ method, url, headers, payload = '' }: WireRequest, isLast: boolean): Buffer {
  const all = { host: 'localhost', ...headers, 'content-length': String(Buffer.byteLength(payload)) };
  const lines = Object.entries({ ...all, ...(isLast && { connection: 'close' }) }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.from(`${method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n${payload}`);
}

/** The whole answers in what came, one byte to a character. */
function answersIn(text: string): WireAnswer[] {
  const answers: WireAnswer[] = [];
  for (let rest = text; ;) {
    const head = /^HTTP\/1\.1 (\d{3}) [^]*?\r\n\r\n/.exec(rest);
    if (!head) return answers;
    const [whole, status] = head;
    const value = (name: string) => new RegExp(`^${name}: (.*)\\r$`, 'im').exec(whole)?.[1] ?? '';
    const isChunked = value('transfer-encoding') === 'chunked';
    const [body, length] = isChunked
      ? chunksIn(rest.slice(whole.length))
      : [rest.slice(whole.length, whole.length + Number(value('content-length'))), Number(value('content-length'))];
    answers.push({
      status: Number(status),
      type: value('content-type'),
      text: Buffer.from(body, 'latin1').toString('utf8'),
    });
    rest = rest.slice(whole.length + length);
  }
}

/** A body in chunks, and how long it was with what frames them. */
function chunksIn(text: string): [body: string, length: number] {
  let body = '';
  for (let at = 0; ;) {
    const [line = '', size = ''] = /^([0-9a-f]+)\r\n/i.exec(text.slice(at)) ?? [];
    const bytes = parseInt(size, 16);
    if (!(bytes > 0)) return [body, at + line.length + 2];
    body += text.slice(at + line.length, at + line.length + bytes);
    at += line.length + bytes + 2;
  }
}

/** A connection of its own. */
export async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}
