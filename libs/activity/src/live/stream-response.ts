import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { HttpRequest } from '../http/request';
import { type RequestSocket, whenOver } from '../http/when-over';
import type { StreamResponse } from './stream-client';
import type { AdmittedStream } from './streams';

/** As much of a request as Fastify's and Express' have in common. */
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

/** Nothing on the way may keep, change or gather what is sent; the connection ends with the stream. */
const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
  Connection: 'close',
};

/** Sends the head of the response, with the headers that the app has set, and lets the stream write. */
export function beginStream(
  { method, socket }: StreamHttpRequest,
  response: PlatformResponse,
  stream: AdmittedStream,
): void {
  let raw: ServerResponse<IncomingMessage>;
  if (response.raw) {
    // From here on the response is ours: Fastify sends nothing more.
    response.hijack();
    raw = response.raw;
    for (const [name, value] of Object.entries(response.getHeaders())) {
      if (value !== undefined) raw.setHeader(name, value);
    }
  } else {
    raw = response;
  }
  raw.writeHead(200, streamHeaders);
  if (method === 'HEAD') {
    stream.leave();
    raw.end();
    return;
  }
  raw.flushHeaders();
  stream.begin(streamOn(raw, socket));
}

/**
 * The response as a stream needs it: closed, and to be destroyed, with its connection. Of itself it would be neither
 * while it waits behind another on that connection.
 */
function streamOn(raw: ServerResponse, socket: StreamHttpRequest['socket']): StreamResponse {
  return {
    write: (text) => raw.write(text),
    end: () => raw.end(),
    destroy: () => socket.destroy(),
    on: (event, listener) => (event === 'close' ? whenOver(raw, socket, listener) : raw.on(event, listener)),
    get destroyed() {
      return raw.destroyed || socket.destroyed === true;
    },
  };
}
