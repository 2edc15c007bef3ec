import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { map, type Observable } from 'rxjs';
import { jsonOf, tagOf } from './json-copy';
import type { HttpRequest } from './request';

/** Who may keep an answer: everybody's cache, or that of the user who asked, where others are answered otherwise. */
export type TaggedScope = 'public' | 'private';

const scopeKey = Symbol('laurel:tagged-scope');

/** Marks a route whose answer depends on the user who asks. */
export function setTaggedScope(scope: TaggedScope): MethodDecorator {
  return (_target, _key, { value }: { readonly value?: unknown }) => {
    if (typeof value === 'function') Reflect.defineMetadata(scopeKey, scope, value);
  };
}

/** Answers JSON with an entity tag: 304 and no body where the request names the tag of the answer. */
@Injectable()
export class TaggedAnswers implements NestInterceptor {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<string | undefined> {
    const http = context.switchToHttp();
    const scope = (Reflect.getMetadata(scopeKey, context.getHandler()) as TaggedScope | undefined) ?? 'public';
    return next.handle().pipe(map((answer) => this.tagged(answer, scope, http.getRequest(), http.getResponse())));
  }

  private tagged(answer: object, scope: TaggedScope, request: HttpRequest, response: unknown): string | undefined {
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
