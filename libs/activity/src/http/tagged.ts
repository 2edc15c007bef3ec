import { applyDecorators, type Type, UseInterceptors } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiResponse } from '@nestjs/swagger';
import { setTaggedScope, TaggedAnswers, type TaggedScope } from './tagged-answers';

const headers = {
  ETag: { description: 'Changes with the answer.', schema: { type: 'string' } },
  'Cache-Control': { description: 'May be kept, must be asked for each time.', schema: { type: 'string' } },
} as const;

/** A route that answers with an entity tag. @param scope `private` where the answer depends on the user who asks. */
export function Tagged(type: Type, scope: TaggedScope = 'public'): MethodDecorator {
  return applyDecorators(
    UseInterceptors(TaggedAnswers),
    setTaggedScope(scope),
    ApiHeader({ name: 'If-None-Match', required: false, description: 'The ETag of the last answer.' }),
    ApiOkResponse({ type, headers }),
    ApiResponse({ status: 304, description: 'Not Modified.', headers }),
  );
}
