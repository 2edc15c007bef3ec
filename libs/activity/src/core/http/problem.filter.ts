import { type ArgumentsHost, Catch, Injectable, Logger, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { errorTrace } from './error-trace';
import { problemOf } from './problem';

/**
 * Answers every exception as `application/problem+json` (RFC 9457), on Fastify and Express alike. The module's own
 * controllers have it; an app that wants it for all its routes registers it globally: `{ provide: APP_FILTER,
 * useExisting: ProblemFilter }`.
 */
@Injectable()
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger(ProblemFilter.name);

  constructor(private readonly adapterHost: HttpAdapterHost) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw exception;
    const { problem, retryAfterS, isUnexpected } = problemOf(exception);
    // Fastify names each request, and so does pino; Express does not.
    const { id: requestId } = host.switchToHttp().getRequest<{ readonly id?: unknown }>();
    if (isUnexpected) this.logger.error(errorTrace(exception), ...(requestId === undefined ? [] : [{ requestId }]));
    const { httpAdapter } = this.adapterHost;
    const response: unknown = host.switchToHttp().getResponse();
    if (httpAdapter.isHeadersSent(response)) return void httpAdapter.end(response);
    if (retryAfterS !== undefined) httpAdapter.setHeader(response, 'Retry-After', String(retryAfterS));
    // RFC 9110 wants a challenge with every 401; tokens are the only credentials there are.
    if (problem.status === 401) httpAdapter.setHeader(response, 'WWW-Authenticate', 'Bearer');
    httpAdapter.setHeader(response, 'Content-Type', 'application/problem+json; charset=utf-8');
    httpAdapter.reply(response, JSON.stringify(problem), problem.status);
  }
}
