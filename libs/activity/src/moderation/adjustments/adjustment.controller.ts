import { Body, Get, Post, Query } from '@nestjs/common';
import { ApiBody } from '../../core/peers/decorators';
import { Answers, ApiProblems } from '../../core/http/problem.responses';
import { ProblemValidationPipe } from '../../core/http/validation';
import { OperatorRoutes } from '../../shared/operator-routes';
import { LatestQuery } from '../../account/account.dto';
import { Adjusted, Adjustment, AdjustmentsAnswer } from './adjustment';
import { Adjustments } from './adjustments';

/** Operators' corrections. */
@OperatorRoutes('activity/adjustments', 'activity')
export class AdjustmentController {
  constructor(private readonly adjustments: Adjustments) {}

  /** The service checks all of the body. */
  @Post()
  @Answers(Adjusted, 'Adds points to a user or takes them, with a reason, once for each id.', {
    description: 'A minus may lead below zero, shown as the `floor`. Answered when it is in Redis. Safe to repeat.',
  })
  @ApiBody({ type: Adjustment })
  @ApiProblems(404, 413, 415)
  adjust(@Body() body: unknown): Promise<Adjusted> {
    return this.adjustments.adjust(body as Adjustment);
  }

  @Get()
  @Answers(AdjustmentsAnswer, 'The latest adjustments of points, up to 1,000 of them, the latest first.')
  async latest(@Query(new ProblemValidationPipe()) { limit = 100 }: LatestQuery): Promise<AdjustmentsAnswer> {
    return { adjustments: await this.adjustments.recent(limit) };
  }
}
