import { applyDecorators, type Type } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiResponse } from '@nestjs/swagger';

const headers = {
  ETag: { description: 'Changes with the answer.', schema: { type: 'string' } },
  'Cache-Control': { description: 'May be kept, must be asked for each time.', schema: { type: 'string' } },
} as const;

/** Documents a route that answers with an entity tag. */
export function ApiTagged(type: Type): MethodDecorator & ClassDecorator {
  return applyDecorators(
    ApiHeader({ name: 'If-None-Match', required: false, description: 'The ETag of the answer that one has.' }),
    ApiOkResponse({ type, headers }),
    ApiResponse({ status: 304, description: 'Not Modified: it is as one has it.', headers }),
  );
}
