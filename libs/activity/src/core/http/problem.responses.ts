import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import type { ProblemFault } from '../errors/errors';
import { ApiExtraModels, ApiOperation, ApiResponse, getSchemaPath } from '../peers/decorators';
import { STATUS_CODES } from 'node:http';

/** An error, by RFC 9457. */
export class ProblemDocument {
  /**
   * `urn:laurel:problem:<code>`, or `about:blank` where the status says it all.
   * @example urn:laurel:problem:unknownLeaderboard
   */
  readonly type: string;
  /** The status in words. @example Not Found */
  readonly title: string;
  /** @example 404 */
  readonly status: number;
  /** The fault of this request, and what to do. @example No leaderboard has this name: use one of day, month. */
  readonly detail: string;
  /** Of malformed input: each fault by its path. */
  readonly errors?: readonly ProblemFault[];
}

/** Documents the statuses with which a route may answer a {@link ProblemDocument}. */
export function ApiProblems(...statuses: readonly number[]): MethodDecorator & ClassDecorator {
  const schema = { $ref: getSchemaPath(ProblemDocument) };
  return applyDecorators(
    ApiExtraModels(ProblemDocument),
    ...statuses.map((status) =>
      ApiResponse({
        status,
        description: STATUS_CODES[status] ?? 'Error',
        content: { 'application/problem+json': { schema } },
        ...(status === 503 && {
          headers: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } },
        }),
      }),
    ),
  );
}

/**
 * A route that answers with `type`, and its documentation.
 * @param summary what it does, in a line. @param more `status`: default 200.
 */
export function Answers(
  type: Type,
  summary: string,
  { status = 200, ...more }: { readonly description?: string; readonly status?: number } = {},
): MethodDecorator {
  return applyDecorators(HttpCode(status), ApiOperation({ summary, ...more }), ApiResponse({ status, type }));
}
