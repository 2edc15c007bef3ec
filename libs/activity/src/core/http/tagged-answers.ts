import { cachedWith } from '@laurel/leaderboard/internals';
import { applyDecorators, type Type } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import { hash } from 'node:crypto';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiResponse } from '../peers/decorators';
import type { HttpRequest } from './request';

const copies = new WeakMap<object, { readonly json: string; readonly tag: string }>();

/**
 * An answer as JSON, and a digest of that, the same in every process: an entity tag without its quotes. Made once for
 * an object that many are given, such as a cached page. It must not change.
 */
export function copyOf(answer: object) {
  return cachedWith(copies, answer, () => {
    const json = JSON.stringify(answer);
    return { json, tag: hash('sha1', json, 'base64url') };
  });
}

/** Which caches may store an answer: shared ones, or only the user's own, if others get another answer. */
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
 * Returns `answer` as JSON with an entity tag, or 304 without a body if the request names that tag. Routes call it
 * directly: an interceptor would add half to the cost of such an answer.
 */
export function tagged(
  { httpAdapter }: HttpAdapterHost,
  { request, response }: Exchange,
  answer: object,
  scope: TaggedScope = 'public',
): string | undefined {
  const { json, tag } = copyOf(answer);
  httpAdapter.setHeader(response, 'ETag', `"${tag}"`);
  // Caches may keep the answer and must ask each time: standings move.
  httpAdapter.setHeader(response, 'Cache-Control', `${ownRequests.has(request) ? 'private' : scope}, no-cache`);
  if (names(request.headers['if-none-match'], tag)) {
    httpAdapter.status(response, 304);
    return undefined;
  }
  httpAdapter.setHeader(response, 'Content-Type', 'application/json; charset=utf-8');
  return json;
}

/** Whether an `If-None-Match` has the tag; a proxy that compressed the answer has made a weak one of it. */
function names(header: string | string[] | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const tags = String(header).split(',');
  return tags.some((one) => ['*', `"${tag}"`, `W/"${tag}"`].includes(one.trim()));
}

const headers = {
  ETag: { description: 'Changes with the answer.', schema: { type: 'string' } },
  'Cache-Control': { description: 'Caches may keep the answer and must ask each time.', schema: { type: 'string' } },
} as const;

/** Documents a route that answers with an entity tag: what it does, in a line, and what that leaves out. */
export function ApiTagged(type: Type, summary: string, more: { readonly description?: string } = {}): MethodDecorator {
  return applyDecorators(
    ApiOperation({ summary, ...more }),
    ApiHeader({ name: 'If-None-Match', required: false, description: 'The ETag of the last answer.' }),
    ApiOkResponse({ type, headers }),
    ApiResponse({ status: 304, description: 'Not Modified.', headers }),
  );
}
