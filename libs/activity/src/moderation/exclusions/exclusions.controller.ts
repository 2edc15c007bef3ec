import { Body, Delete, Get, Param, Put, Query, UsePipes } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '../../core/peers/decorators';
import { Answers, ApiProblems } from '../../core/http/problem.responses';
import { ProblemValidationPipe } from '../../core/http/validation';
import { GuardedRoutes, OperatorRoutes } from '../../shared/operator-routes';
import { SelfOrApiKeyGuard } from '../../shared/self-or-api-key.guard';
import { ExclusionList, ExclusionOptions, ExclusionState, ScanQuery } from './exclusion';
import { Exclusions } from './exclusions';

/** Which users are excluded from the leaderboards. For services and operators with the API key. */
@OperatorRoutes('activity/exclusions', 'administration')
@ApiProblems(410)
@UsePipes(ProblemValidationPipe)
export class ExclusionsController {
  constructor(private readonly exclusions: Exclusions) {}

  @Get()
  @Answers(ExclusionList, 'The users that are excluded from the leaderboards, and why; in no order.')
  list(@Query() query: ScanQuery): Promise<ExclusionList> {
    return this.exclusions.list(query);
  }

  @Get(':userId')
  @Answers(ExclusionState, 'Whether a user is excluded from the leaderboards, and why.')
  find(@Param('userId') userId: string): Promise<ExclusionState> {
    return this.exclusions.find(userId);
  }

  @Put(':userId')
  @Answers(ExclusionState, 'Excludes a user from every leaderboard, live and archived.', {
    description: 'Other users move up. The points of the user continue to count. Safe to repeat.',
  })
  @ApiProblems(415)
  exclude(@Param('userId') userId: string, @Body() body?: ExclusionOptions): Promise<ExclusionState> {
    return this.exclusions.exclude(userId, body ?? {});
  }

  @Delete(':userId')
  @Answers(ExclusionState, 'Shows a user again, at the rank of their points.', {
    description:
      'While the directory, the review queue or the user has another exclusion, `excluded` stays true. Safe to repeat.',
  })
  include(@Param('userId') userId: string): Promise<ExclusionState> {
    return this.exclusions.include(userId);
  }
}

/** Whether a user has opted out; nothing of what operators decided. */
export class OptOutAnswer {
  /** @example 42 */
  readonly userId: string;
  readonly optedOut: boolean;
}

/** A user's own wish not to be on the leaderboards. For this user and for the API key. */
@ApiTags('activity')
@ApiBearerAuth()
@ApiProblems(400, 401, 403, 410, 503)
@GuardedRoutes('activity/users/:userId/opt-out', SelfOrApiKeyGuard)
export class OptOutController {
  constructor(private readonly exclusions: Exclusions) {}

  @Get()
  @Answers(OptOutAnswer, 'Whether a user has opted out of the leaderboards.')
  async find(@Param('userId') userId: string): Promise<OptOutAnswer> {
    return answerOf(await this.exclusions.find(userId));
  }

  @Put()
  @Answers(OptOutAnswer, 'Opts a user out of every leaderboard, at once.', {
    description: 'Exclusions by operators are independent: neither ends the other. Safe to repeat.',
  })
  async optOut(@Param('userId') userId: string): Promise<OptOutAnswer> {
    return answerOf(await this.exclusions.optOut(userId));
  }

  @Delete()
  @Answers(OptOutAnswer, 'Shows a user again who has opted out, unless somebody else excludes them.', {
    description: 'Safe to repeat.',
  })
  async optIn(@Param('userId') userId: string): Promise<OptOutAnswer> {
    return answerOf(await this.exclusions.optIn(userId));
  }
}

function answerOf({ userId, exclusions }: ExclusionState): OptOutAnswer {
  return { userId, optedOut: exclusions.some(({ source }) => source === 'user') };
}
