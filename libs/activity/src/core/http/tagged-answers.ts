import type { HttpAdapterHost } from '@nestjs/core';
import { jsonOf, tagOf } from './json-copy';
import type { HttpRequest } from './request';

/** Who may keep an answer: everybody's cache, or that of the user who asked, where others are answered otherwise. */
export type TaggedScope = 'public' | 'private';

const ownRequests = new WeakSet<HttpRequest>();
/** Keeps what a request is answered from caches of others, whatever its route says. */
export const keepPrivate = (request: HttpRequest): void => void ownRequests.add(request);

/** A request, and the response that the platform sends when the handler has returned. */
export interface Exchange {
  readonly request: HttpRequest;
  /** Injected by `@Res({ passthrough: true })`. */
  readonly response: unknown;
}

/**
 * JSON with an entity tag: the text of `answer`, or nothing and 304 where the request names its tag. Routes call it
 * instead of an interceptor, which costs half as much again as all the rest of such an answer.
 */
export function tagged(
  { httpAdapter }: HttpAdapterHost,
  { request, response }: Exchange,
  answer: object,
  scope: TaggedScope = 'public',
): string | undefined {
  const tag = tagOf(answer);
  httpAdapter.setHeader(response, 'ETag', `"${tag}"`);
  // Caches may keep the answer and must ask each time: standings move.
  httpAdapter.setHeader(response, 'Cache-Control', `${ownRequests.has(request) ? 'private' : scope}, no-cache`);
  if (names(request.headers['if-none-match'], tag)) {
    httpAdapter.status(response, 304);
    return undefined;
  }
  httpAdapter.setHeader(response, 'Content-Type', 'application/json; charset=utf-8');
  return jsonOf(answer);
}

/** Whether an `If-None-Match` has the tag; a proxy that compressed the answer has made a weak one of it. */
function names(header: string | string[] | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const tags = String(header).split(',');
  return tags.some((one) => ['*', `"${tag}"`, `W/"${tag}"`].includes(one.trim()));
}
