import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { problemOf } from './problem';

/** As much of Fastify's reply as is needed before any route is found. */
interface EarlyReply {
  readonly raw: {
    writeHead(status: number, headers: Record<string, string>): unknown;
    end(body: string): unknown;
  };
}

/** 408: also where the process was paused for longer than a request may take to arrive; none of it was done. */
const details: Readonly<Record<number, string>> = {
  400: 'The request is not valid HTTP: correct its first line or its headers.',
  408: 'The request did not arrive in time. Nothing of it was done: send it again.',
  431: 'The headers of the request are too large: shorten them.',
};

/**
 * Options for Nest's `FastifyAdapter`: `new FastifyAdapter({ ...problemFastifyOptions })`. Fastify refuses malformed
 * URLs and headers before it looks for a route, so Nest's filters never see them: these options answer them with a
 * problem document. Route parameters may be longer than Fastify's 100 characters: a subject has up to 512 bytes, of
 * three characters each in a URL, and longer ones get a 400 with the reason.
 */
export const problemFastifyOptions = {
  routerOptions: { maxParamLength: 2_048 },
  /** Answers what Fastify refuses before it looks for a route. */
  frameworkErrors: (error: Error, _request: unknown, reply: EarlyReply): void => {
    const { problem } = problemOf(error);
    reply.raw.writeHead(problem.status, { 'content-type': 'application/problem+json; charset=utf-8' });
    reply.raw.end(JSON.stringify(problem));
  },
  /** Answers bytes that are not a request, and closes the connection. */
  clientErrorHandler: ({ code }: Error & { readonly code?: string }, socket: Socket): void => {
    if (code !== 'ECONNRESET' && socket.writable) {
      const status = code === 'HPE_HEADER_OVERFLOW' ? 431 : code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
      const title = STATUS_CODES[status] ?? 'Error';
      const body = JSON.stringify({ type: 'about:blank', title, status, detail: details[status] });
      socket.write(
        `HTTP/1.1 ${status} ${title}\r\nContent-Type: application/problem+json; charset=utf-8\r\n` +
          `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
    }
    socket.destroySoon();
  },
};
