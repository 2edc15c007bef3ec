import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { jsonOf, tagOf } from './json-copy';
import type { HttpRequest } from './request';

/** Who may keep an answer: everybody's cache, or that of the one who asked, where others are answered otherwise. */
export type TaggedScope = 'public' | 'private';

/** A request, and the response that the platform sends when the handler has returned. */
export interface Exchange {
  readonly request: HttpRequest;
  /** Injected by `@Res({ passthrough: true })`. */
  readonly response: unknown;
}

/** Answers JSON with an entity tag, for those who ask again and again: 304 and no body where they have it already. */
@Injectable()
export class TaggedAnswers {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  /** What the handler returns: the text of `answer`, or nothing where the request names its tag. */
  give({ request, response }: Exchange, answer: object, scope: TaggedScope = 'public'): string | undefined {
    const { httpAdapter } = this.adapterHost;
    const tag = tagOf(answer);
    httpAdapter.setHeader(response, 'ETag', `"${tag}"`);
    // May be kept, must be asked for each time: standings move.
    httpAdapter.setHeader(response, 'Cache-Control', `${scope}, no-cache`);
    if (names(request.headers['if-none-match'], tag)) {
      httpAdapter.status(response, 304);
      return undefined;
    }
    httpAdapter.setHeader(response, 'Content-Type', 'application/json; charset=utf-8');
    return jsonOf(answer);
  }
}

/** Whether an `If-None-Match` has the tag; a proxy that compressed the answer has made a weak one of it. */
function names(header: string | string[] | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const tags = String(header).split(',');
  return tags.some((one) => ['*', `"${tag}"`, `W/"${tag}"`].includes(one.trim()));
}
