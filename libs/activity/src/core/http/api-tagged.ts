import { applyDecorators, type Type } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiResponse } from '../peers/decorators';

const headers = {
  ETag: { description: 'Changes with the answer.', schema: { type: 'string' } },
  'Cache-Control': { description: 'Caches may keep the answer and must ask each time.', schema: { type: 'string' } },
} as const;

/** Documents a route that answers with an entity tag. */
export function ApiTagged(type: Type): MethodDecorator {
  return applyDecorators(
    ApiHeader({ name: 'If-None-Match', required: false, description: 'The ETag of the last answer.' }),
    ApiOkResponse({ type, headers }),
    ApiResponse({ status: 304, description: 'Not Modified.', headers }),
  );
}
