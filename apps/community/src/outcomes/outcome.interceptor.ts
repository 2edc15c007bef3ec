import { type Outcome } from '@laurel/activity';
import { invalidInput } from '@laurel/activity/http';
import {
  type CallHandler,
  type ExecutionContext,
  HttpStatus,
  Inject,
  Injectable,
  mixin,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { defer, from, lastValueFrom, type Observable } from 'rxjs';
import type { ClickOutcome } from './outcome.responses';
import { Outcomes } from './outcomes';

/** As much of a response as is needed. */
interface Reply {
  status(code: number): unknown;
}

/**
 * If a request has `?outcome=true`, its answer includes the outcome of the action; an answer without a body is then 200
 * instead of 204. Other requests are answered as usual, and at once.
 */
export function outcomeInterceptor(action: string): Type<NestInterceptor> {
  @Injectable()
  class OutcomeInterceptor implements NestInterceptor {
    constructor(@Inject(Outcomes) private readonly outcomes: Outcomes) {}

    intercept(context: ExecutionContext, next: CallHandler<object | undefined>): Observable<unknown> {
      const http = context.switchToHttp();
      const isAsked = isOutcomeAsked(http.getRequest<{ readonly query: unknown }>().query);
      const reply = http.getResponse<Reply>();
      return defer(() => from(this.answer(isAsked, reply, next)));
    }

    private async answer(isAsked: boolean, reply: Reply, next: CallHandler<object | undefined>) {
      const work = () => lastValueFrom(next.handle(), { defaultValue: undefined });
      if (!isAsked) {
        const result = await work();
        if (result === undefined) reply.status(HttpStatus.NO_CONTENT);
        return result;
      }
      const { result, outcome } = await this.outcomes.watch(work);
      return { ...result, outcome: outcomeAnswer(action, outcome) };
    }
  }
  return mixin(OutcomeInterceptor);
}

/** Whether a request asks for the outcome. @throws an invalid input where it says something else. */
export function isOutcomeAsked(query: unknown): boolean {
  const { outcome } = query as { readonly outcome?: unknown };
  if (outcome === undefined || outcome === 'false') return false;
  if (outcome === 'true') return true;
  throw invalidInput([{ path: 'outcome', message: 'must be true or false' }]);
}

/** As it is answered. What was not announced had been done, or undone, before. */
export function outcomeAnswer(action: string, outcome: Outcome | null | undefined): ClickOutcome | null {
  if (outcome === null) return null;
  if (outcome === undefined)
    return { action, outcome: 'duplicate', points: 0, reason: null, refusal: null, excluded: false };
  const { outcome: name, points, reason = null, refusal = null, excluded = false } = outcome;
  return { action, outcome: name, points, reason, refusal, excluded };
}
