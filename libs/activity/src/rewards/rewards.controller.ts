import { Get, Param, Query, Req, Res } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Extensions } from '../core/extensions/extensions';
import { ApiKey } from '../core/http/api-key';
import { ApiTagged, tagged } from '../core/http/tagged-answers';
import { ApiProblems } from '../core/http/problem.responses';
import { Flag, QueryPipe } from '../core/http/validation';
import type { HttpRequest } from '../core/http/request';
import { Routes } from '../core/http/mounting';
import { VisibleBoards } from '../core/http/visible-boards';
import { ApiBearerAuth, ApiTags } from '../core/peers/decorators';
import { Rewards } from './rewards';
import { UserRewards } from './rewards.answers';

/** The query of a profile. */
export class UserRewardsQuery {
  @Flag('Whether the answer has the titles won in the last 12 periods of each leaderboard.')
  readonly titles?: boolean;
}

/** Rewards beside points: levels, badges, streaks and titles. */
@ApiTags('activity')
@Routes('activity')
export class RewardsController {
  constructor(
    private readonly rewards: Rewards,
    private readonly extensions: Extensions,
    private readonly apiKey: ApiKey,
    private readonly visible: VisibleBoards,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  @Get('users/:userId/rewards')
  @ApiBearerAuth()
  @ApiTagged(UserRewards, "A user's level, badges, streak and titles.", {
    description: 'Others see them where they see the `points` of past periods, and nothing of users who are excluded.',
  })
  @ApiProblems(400, 401, 403, 503)
  async of(
    @Param('userId') userId: string,
    @Query(QueryPipe) query: UserRewardsQuery,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: unknown,
  ): Promise<string | undefined> {
    const scope = await this.extensions.past?.scopeOf('points', userId, request);
    const tellsExcluded = this.apiKey.isSelfOrKey(request, userId);
    const only = await this.visible.namesFor(request);
    const answer = await this.rewards.of(userId, { ...query, tellsExcluded, only });
    return tagged(this.adapterHost, { request, response }, answer, scope ?? 'private');
  }
}
