import { VisitInterceptor } from '@laurel/activity';
import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import { mergeMap, type Observable } from 'rxjs';
import { COMMUNITY_OPTIONS, type CommunityOptions } from '../options/community.options';
import { isOutcomeAsked, outcomeAnswer } from './outcome.interceptor';
import { inTime } from './outcomes';

/**
 * If a request for a page has `?outcome=true`, the visit is recorded before the answer, which includes its outcome:
 * null if no user is signed in, or if it was not recorded within a second.
 */
@Injectable()
export class VisitOutcomeInterceptor implements NestInterceptor {
  constructor(
    private readonly visits: VisitInterceptor,
    @Inject(COMMUNITY_OPTIONS) private readonly options: CommunityOptions,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<object> {
    const { query } = context.switchToHttp().getRequest<{ readonly query: unknown }>();
    if (!isOutcomeAsked(query)) return next.handle();
    return next.handle().pipe(
      mergeMap(async (page) => {
        const outcome = await inTime(this.visits.visit(context, page), this.options);
        return { ...page, outcome: outcome && outcomeAnswer('view', outcome) };
      }),
    );
  }
}
