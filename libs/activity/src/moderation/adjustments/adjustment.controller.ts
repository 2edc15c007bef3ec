import { Body, Controller, HttpCode, Post, UseFilters, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiKeyGuard } from '../../http/api-key.guard';
import { ProblemFilter } from '../../http/problem.filter';
import { ApiProblems } from '../../http/problem.responses';
import type { Adjustment } from './adjustment';
import { AdjustedAnswer, AdjustmentBody } from './adjustment.responses';
import { Adjustments } from './adjustments';

/** Operators' corrections. */
@ApiTags('activity')
@ApiBearerAuth()
@ApiProblems(400, 401, 403, 404, 413, 415, 503)
@Controller('activity/adjustments')
@UseFilters(ProblemFilter)
@UseGuards(ApiKeyGuard)
export class AdjustmentController {
  constructor(private readonly adjustments: Adjustments) {}

  /** The service checks all of the body, whoever calls it. */
  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Adds points to a user or takes them, with a reason, once for each id.',
    description: 'A minus takes as much as is there on each leaderboard. Answers when it is in Redis. Safe to repeat.',
  })
  @ApiBody({ type: AdjustmentBody })
  @ApiOkResponse({ type: AdjustedAnswer })
  adjust(@Body() body: unknown): Promise<AdjustedAnswer> {
    return this.adjustments.apply(body as Adjustment);
  }
}
