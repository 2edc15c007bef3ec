import { Get, Param, Query, Req, Res, UseFilters } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Extensions } from '../extensions/extensions';
import { ApiKey } from '../http/api-key';
import { ApiTagged } from '../http/api-tagged';
import { ProblemFilter } from '../http/problem.filter';
import { ApiProblems } from '../http/problem.responses';
import { Flag } from '../http/query-fields';
import { QueryPipe } from '../http/query.pipe';
import type { HttpRequest } from '../http/request';
import { Routes } from '../http/routes';
import { tagged } from '../http/tagged-answers';
import { ApiBearerAuth, ApiOperation, ApiParam, ApiTags } from '../peers/decorators';
import { Rewards } from './rewards';
import { UserRewards } from './rewards.answers';

/** What a profile wants to know. */
export class UserRewardsQuery {
  @Flag('Whether the answer has the titles won in the last 12 periods of each leaderboard.')
  readonly titles?: boolean;
}

/** What users have earned beside points. */
@ApiTags('activity')
@Routes('activity')
@UseFilters(ProblemFilter)
export class RewardsController {
  constructor(
    private readonly rewards: Rewards,
    private readonly extensions: Extensions,
    private readonly apiKey: ApiKey,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  @Get('users/:userId/rewards')
  @ApiBearerAuth()
  @ApiOperation({
    summary: "A user's level, badges, streak and titles.",
    description: 'Others see them where they see the `points` of past periods, and nothing of users who are excluded.',
  })
  @ApiParam({ name: 'userId', example: '42' })
  @ApiTagged(UserRewards)
  @ApiProblems(400, 401, 403, 503)
  async of(
    @Param('userId') userId: string,
    @Query(QueryPipe) query: UserRewardsQuery,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: unknown,
  ): Promise<string | undefined> {
    const scope = await this.extensions.past?.scopeOf('points', userId, request);
    const tellsExcluded = this.apiKey.isSelfOrKey(request, userId);
    const answer = await this.rewards.of(userId, { ...query, tellsExcluded });
    return tagged(this.adapterHost, { request, response }, answer, scope ?? 'private');
  }
}
