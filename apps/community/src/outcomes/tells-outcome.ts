import { ScoreVisit, VisitInterceptor, type VisitOptions } from '@laurel/activity';
import { ApiProblems } from '@laurel/activity/http';
import { applyDecorators, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiQuery } from '@nestjs/swagger';
import { ExistingReaderGuard } from '../identity/signed-in';
import { outcomeInterceptor } from './outcome.interceptor';
import { OutcomeAnswer } from './outcome.responses';
import { VisitOutcomeInterceptor } from './visit-outcome.interceptor';

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
