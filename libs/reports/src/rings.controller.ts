import { Get, Query } from '@nestjs/common';
import { ApiKeyGuard, ApiProblems, ProblemValidationPipe, Text, WholeNumber } from '@laurel/activity/http';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags, GuardedRoutes } from '@laurel/activity/internals';
import { ReportedRings } from './reported-rings';
import { RingReport } from './ring-report';
import { BoundedWork } from './bounded-work';

/** Which rings. */
export class RingsQuery {
  @Text({
    max: 32,
    description: 'Default: the first leaderboard that has the period and on which the action counts.',
    example: 'month',
  })
  readonly leaderboard?: string;

  @Text({ max: 24, default: 'current', description: 'As for standings.', example: '2026-11' })
  readonly period?: string;

  @Text({ max: 64, default: 'praise', description: 'An action whose rule has `grants` to the owner.' })
  readonly action?: string;

  @WholeNumber({ min: 1, max: 1_000_000, default: 5, description: 'How often each does it to the next, at least.' })
  readonly min?: number;

  @WholeNumber({ min: 1, max: 1_000, default: 20, description: 'How many rings.' })
  readonly top?: number;
}

/** The search is one go, for which every other request waits: these take it a fraction of a second. */
const bounds = { maxEdges: 20_000, maxSteps: 500_000 };

/** Users who give one another points. */
@ApiTags('activity')
@ApiBearerAuth()
@ApiProblems(400, 401, 403, 404, 410, 503)
@GuardedRoutes('activity/rings', ApiKeyGuard)
export class RingsController {
  private readonly work = new BoundedWork('search for rings', 'rings');

  constructor(private readonly report: RingReport) {}

  @Get()
  @ApiOperation({
    summary: 'Finds pairs, and rings of more users, who do an action to what is one another’s.',
    description:
      'As the command `rings`, from the ledgers: about 50 users a round trip. Each instance computes one search at a time, for ' +
      '30 seconds at most, among the 20,000 tightest pairs; longer ones are for the command.',
  })
  @ApiOkResponse({ type: ReportedRings })
  rings(
    @Query(new ProblemValidationPipe()) { period = 'current', top = 20, ...query }: RingsQuery,
  ): Promise<ReportedRings> {
    return this.work.run((signal) => this.report.run({ ...query, period, top, ...bounds, signal }));
  }
}
