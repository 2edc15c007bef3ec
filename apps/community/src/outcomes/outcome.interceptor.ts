import { type Outcome, ScoreVisit, VisitInterceptor, type VisitOptions } from '@laurel/activity';
import { ApiProblems, invalidInput } from '@laurel/activity/http';
import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  HttpStatus,
  Inject,
  Injectable,
  mixin,
  type NestInterceptor,
  type Type,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiQuery } from '@nestjs/swagger';
import { lastValueFrom, mergeMap, type Observable, of } from 'rxjs';
import { ExistingReaderGuard } from '../identity/signed-in';
import { COMMUNITY_OPTIONS, type CommunityOptions } from '../options/community.options';
import { type ClickOutcome, OutcomeAnswer } from './outcome.responses';
import { inTime, Outcomes } from './outcomes';

/** How a route that tells outcomes answers where none is asked for. */
export interface TellsOutcomeOptions {
  /** Whether it has an answer of its own, beside which the outcome stands: 204 otherwise. */
  readonly hasBody: boolean;
}

/** A route that says what became of the points of its action, where `?outcome=true` asks for it. */
export function TellsOutcome(action: string, { hasBody }: TellsOutcomeOptions): MethodDecorator {
  const answers = [
    ApiNoContentResponse({ description: 'Done.' }),
    ApiOkResponse({ type: OutcomeAnswer, description: 'Done; the outcome was asked for.' }),
  ];
  return applyDecorators(UseInterceptors(outcomeInterceptor(action)), OutcomeQuery(), ...(hasBody ? [] : answers));
}

/** A page: a signed-in reader earns a view, once a day, and is told so where `?outcome=true` asks for it. */
export function ScoresVisit<Answer>(visit: VisitOptions<Answer>): MethodDecorator {
  return applyDecorators(
    ScoreVisit(visit),
    UseGuards(ExistingReaderGuard),
    UseInterceptors(VisitInterceptor, VisitOutcomeInterceptor),
    OutcomeQuery(),
  );
}

function OutcomeQuery(): MethodDecorator {
  return applyDecorators(
    ApiQuery({
      name: 'outcome',
      required: false,
      schema: { type: 'boolean', default: false },
      description: "Whether to wait, for a second at most, and tell what became of the action's points.",
    }),
    ApiProblems(400),
  );
}

/** An answer without a body is 200 with the outcome, and 204 without. */
function outcomeInterceptor(action: string): Type<NestInterceptor> {
  @Injectable()
  class OutcomeInterceptor implements NestInterceptor {
    constructor(@Inject(Outcomes) private readonly outcomes: Outcomes) {}

    async intercept(context: ExecutionContext, next: CallHandler<object | undefined>): Promise<Observable<unknown>> {
      const work = () => lastValueFrom(next.handle(), { defaultValue: undefined });
      if (isOutcomeAsked(context)) {
        const { result, outcome } = await this.outcomes.watch(work);
        return of({ ...result, outcome: outcomeAnswer(action, outcome) });
      }
      const result = await work();
      const reply = context.switchToHttp().getResponse<{ status(code: number): unknown }>();
      if (result === undefined) reply.status(HttpStatus.NO_CONTENT);
      return of(result);
    }
  }
  return mixin(OutcomeInterceptor);
}

/** With `?outcome=true` a visit is recorded before the answer; null: of nobody, or not within a second. */
@Injectable()
class VisitOutcomeInterceptor implements NestInterceptor {
  constructor(
    private readonly visits: VisitInterceptor,
    @Inject(COMMUNITY_OPTIONS) private readonly options: CommunityOptions,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<object> {
    if (!isOutcomeAsked(context)) return next.handle();
    return next.handle().pipe(
      mergeMap(async (page) => {
        const outcome = await inTime(this.visits.visit(context, page), this.options);
        return { ...page, outcome: outcome && outcomeAnswer('view', outcome) };
      }),
    );
  }
}

/** @throws an invalid input where the request says neither yes nor no. */
function isOutcomeAsked(context: ExecutionContext): boolean {
  const { outcome } = context.switchToHttp().getRequest<{ readonly query: { readonly outcome?: unknown } }>().query;
  if (outcome === undefined || outcome === 'false') return false;
  if (outcome === 'true') return true;
  throw invalidInput([{ path: 'outcome', message: 'must be true or false' }]);
}

/** As it is answered. What was not announced had been done, or undone, before. */
function outcomeAnswer(action: string, told: Outcome | null | undefined): ClickOutcome | null {
  if (told === null) return null;
  const { outcome = 'duplicate', points = 0, reason = null, refusal = null, excluded = false } = told ?? {};
  return { action, outcome, points, reason, refusal, excluded };
}
