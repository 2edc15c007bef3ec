import { HttpCode, Post, Query } from '@nestjs/common';
import { ApiKeyGuard, ApiProblems, ProblemValidationPipe, Text } from '@laurel/activity/http';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags, GuardedRoutes } from '@laurel/activity/internals';
import { BoundedWork } from './bounded-work';
import { Revaluation, RevaluationReport } from './revaluation';

/** The days to revalue. */
export class RevaluationQuery {
  @Text({ max: 10, description: 'The first day, in the time zone of each leaderboard: needed.', example: '2026-11-01' })
  readonly from?: string;
}

/** Puts in force for open periods what a simulation has shown. */
@ApiTags('activity')
@ApiBearerAuth()
@ApiProblems(400, 401, 403, 503)
@GuardedRoutes('activity/revaluations', ApiKeyGuard)
export class RevaluationsController {
  private readonly work = new BoundedWork('revaluation', 'revalue');

  constructor(private readonly revaluation: Revaluation) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Gives what was recorded since a day the points of the rules in force, on every open board.',
    description:
      'As the command `revalue`. Each instance revalues once at a time, for 30 seconds at most: what is done by then stays, ' +
      'and the command does the rest.',
  })
  @ApiOkResponse({ type: RevaluationReport })
  revalue(@Query(new ProblemValidationPipe()) { from = '' }: RevaluationQuery): Promise<RevaluationReport> {
    return this.work.run((signal) => this.revaluation.run({ from, signal }));
  }
}
