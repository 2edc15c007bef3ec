import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { HttpRequest } from '../core/http/request';
import { type RequestSocket, whenOver } from '../core/http/when-over';
import type { FirstPageView } from '../core/ranks/first-pages';

/** A server-sent event as it goes over the wire: made once, however many clients are sent it. */
export interface StreamEvent {
  readonly kind: 'standings' | 'standing' | 'overtaken' | 'away' | 'closing';
  readonly bytes: Buffer;
}

/** @param data JSON, which has no line breaks. @param id the last event id of a client that comes back. */
export function streamEvent(kind: StreamEvent['kind'], data: string, id?: string): StreamEvent {
  return { kind, bytes: Buffer.from(`${id === undefined ? '' : `id: ${id}\n`}event: ${kind}\ndata: ${data}\n\n`) };
}

/** The last event of a stream that ends with its server. */
export const closing = streamEvent('closing', '{}');

/** A line that clients pass over. */
const aliveComment = Buffer.from(': alive\n\n');

/** The part of Node's response that a stream needs, on either platform. */
export interface StreamResponse {
  /** False: what is written waits, until `drain`. */
  write(bytes: Buffer): boolean;
  end(): unknown;
  destroy(): unknown;
  on(event: 'drain' | 'close' | 'error', client: () => void): unknown;
  readonly destroyed: boolean;
}

/**
 * One open stream. While a client takes nothing in, only the newest event of each kind waits for it: memory for a slow
 * client is bounded.
 */
export class StreamClient {
  /** How many events were replaced by newer ones of their kind before they could be sent. */
  skipped = 0;
  private readonly waiting = new Map<StreamEvent['kind'], Buffer>();
  private blockedAtMs: number | null = null;
  private lastWriteMs = performance.now();

  /**
   * @param userId the signed-in user; null: nobody. @param standingsId the id of the standings that the client has, or
   * will have when what waits is written; at first by its own account.
   */
  constructor(
    private readonly response: StreamResponse,
    readonly view: FirstPageView,
    readonly userId: string | null,
    public standingsId: string | null,
  ) {
    response.on('drain', () => this.resume());
  }

  /** Sends an event, or keeps it until the client takes it in. */
  send({ kind, bytes }: StreamEvent): void {
    if (this.blockedAtMs === null) return this.write(bytes);
    if (this.waiting.delete(kind)) this.skipped += 1;
    this.waiting.set(kind, bytes);
  }

  /** Writes a comment after `heartbeatMs` of silence; closes a client that took nothing in for `stalledMs`. */
  tend({ heartbeatMs, stalledMs }: { readonly heartbeatMs: number; readonly stalledMs: number }): void {
    const nowMs = performance.now();
    if (this.blockedAtMs !== null) {
      if (nowMs - this.blockedAtMs >= stalledMs) this.response.destroy();
    } else if (nowMs - this.lastWriteMs >= heartbeatMs) {
      this.write(aliveComment);
    }
  }

  /** Sends `closing` and ends the stream. */
  close(): void {
    this.send(closing);
    this.response.end();
  }

  /** Ends the stream at once, whatever waits. */
  destroy(): void {
    this.response.destroy();
  }

  private write(bytes: Buffer): void {
    if (this.response.destroyed) return;
    this.lastWriteMs = performance.now();
    if (!this.response.write(bytes)) this.blockedAtMs ??= this.lastWriteMs;
  }

  private resume(): void {
    this.blockedAtMs = null;
    const newest = [...this.waiting.values()];
    this.waiting.clear();
    if (newest.length > 0) this.write(Buffer.concat(newest));
  }
}

/** The common part of Fastify's and Express' requests. */
export interface StreamHttpRequest extends HttpRequest {
  /** The client's address, as the app's `trustProxy` has it. */
  readonly ip?: string;
  /** The connection that it came on. */
  readonly socket: RequestSocket & { destroy(): unknown };
}

/** Fastify's reply, whose response is inside, or Express' own response. */
export type PlatformResponse =
  | { readonly raw: ServerResponse; hijack(): unknown; getHeaders(): OutgoingHttpHeaders }
  | (ServerResponse & { readonly raw?: undefined });

/** No proxy may keep, change or gather what is sent. */
const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/** A stream that may begin. */
export interface AdmittedStream {
  /** Writes to a response whose head is sent, until it is closed from either side. */
  begin(response: StreamResponse): void;
  /** Gives it up before it began. */
  leave(): void;
}

/**
 * Sends the head of the response, with the headers that the app has set, and lets the stream write.
 * @throws Error where another has answered meanwhile, such as a timeout of the app's; the stream is left then.
 */
export function beginStream(request: StreamHttpRequest, response: PlatformResponse, stream: AdmittedStream): void {
  try {
    begin(request, response, stream);
  } catch (error) {
    stream.leave();
    throw error;
  }
}

function begin({ method, socket }: StreamHttpRequest, response: PlatformResponse, stream: AdmittedStream): void {
  const raw = response.raw === undefined ? response : response.raw;
  if (response.raw) {
    // From here on the response is ours: Fastify sends nothing more.
    response.hijack();
    for (const [name, value] of Object.entries(response.getHeaders())) {
      if (value !== undefined) raw.setHeader(name, value);
    }
  }
  raw.removeHeader('Transfer-Encoding');
  // Over HTTP/1 the connection ends with the stream, so nothing frames the events. HTTP/2 knows no such header.
  raw.writeHead(200, ownsConnection(raw) ? { ...streamHeaders, Connection: 'close' } : streamHeaders);
  if (method === 'HEAD') {
    stream.leave();
    raw.end();
    return;
  }
  raw.flushHeaders();
  stream.begin(streamOn(raw, socket));
}

/** Over HTTP/2 a response shares its connection with others. */
function ownsConnection({ req }: ServerResponse): boolean {
  return req.httpVersionMajor === 1;
}

/**
 * The response as a stream needs it: closed, and to be destroyed, with its connection. Of itself it would be neither
 * while it waits behind another on that connection. A response that has its turn, as nearly all have, writes to its
 * connection: the head is sent and nothing frames what follows, and the response itself would gather each event until
 * the end of the turn, for half as much CPU again.
 */
function streamOn(raw: ServerResponse, socket: StreamHttpRequest['socket']): StreamResponse {
  const way = (ownsConnection(raw) && raw.socket) || raw;
  return {
    write: (bytes) => way.write(bytes),
    end: () => raw.end(),
    destroy: () => socket.destroy(),
    on: (event, listener) =>
      event === 'close' ? whenOver(raw, socket, listener) : (event === 'drain' ? way : raw).on(event, listener),
    get destroyed() {
      return raw.destroyed || socket.destroyed === true;
    },
  };
}
