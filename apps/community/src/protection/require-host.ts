import { problemOf } from '@laurel/activity/internals';
import { BadRequestException } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/**
 * Refuses requests of HTTP/1.1 that do not name their host (RFC 9112, 3.2), with a problem document. Node, whose own
 * check is switched off for it (`requireHostHeader`), would answer without a body.
 */
export function requireHost(app: NestFastifyApplication): void {
  const { problem } = problemOf(new BadRequestException('The request has no Host header.'));
  const body = JSON.stringify(problem);
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', ({ raw, headers }, reply, done) => {
      if (raw.httpVersion !== '1.1' || headers.host !== undefined) return done();
      void reply.code(problem.status).header('content-type', 'application/problem+json; charset=utf-8').send(body);
    });
}
