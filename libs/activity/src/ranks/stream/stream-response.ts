import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { HttpRequest } from '../../http/request';
import type { AdmittedStream } from './streams';

/** As much of a request as Fastify's and Express' have in common. */
export interface StreamHttpRequest extends HttpRequest {
  /** The client's address, as the app's `trustProxy` has it. */
  readonly ip?: string;
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

/** Who sent the request, for bounds on how many streams he may have. */
export function addressOf({ ip }: StreamHttpRequest): string {
  return ip ?? '';
}

/** Sends the head of the response, with the headers that the app has set, and lets the stream write. */
export function beginStream({ method }: StreamHttpRequest, response: PlatformResponse, stream: AdmittedStream): void {
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
  stream.begin(raw);
}
