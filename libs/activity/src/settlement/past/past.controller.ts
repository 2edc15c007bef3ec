import { Get, Param, Query, Req, Res } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiKey } from '../../core/http/api-key';
import type { HttpRequest } from '../../core/http/request';
import { ApiTags } from '../../core/peers/decorators';
import { ApiTagged, tagged } from '../../core/http/tagged-answers';
import { ApiProblems } from '../../core/http/problem.responses';
import { QueryPipe } from '../../core/http/validation';
import { Routes } from '../../core/http/mounting';
import { OfLeaderboard } from '../../core/http/visible-boards';
import { ArchivedPast } from './archived-past';
import { PeriodsQuery, PointsQuery, RankHistoryQuery } from './past.dto';
import { RankHistory, RankPeriods, RankPoints } from './past.responses';
import { PastRanks } from './past-ranks';

/** Public reads of periods that have ended. */
@ApiTags('ranks')
@ApiProblems(503)
@Routes('ranks')
export class PastController {
  constructor(
    private readonly past: PastRanks,
    private readonly adapterHost: HttpAdapterHost,
    private readonly apiKey: ApiKey,
    private readonly standings: ArchivedPast,
  ) {}

  @Get(':leaderboard/periods')
  @ApiTagged(RankPeriods, 'The periods that can be read, live and archived, the latest first.')
  @OfLeaderboard()
  async periods(
    @Param('leaderboard') leaderboard: string,
    @Query(QueryPipe) query: PeriodsQuery,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: unknown,
  ): Promise<string | undefined> {
    const answer = await this.past.periods(leaderboard, query);
    return tagged(this.adapterHost, { request, response }, answer);
  }

  @Get(':leaderboard/users/:userId/points')
  @ApiTagged(RankPoints, "The user's points in each period of a time, the current one included.")
  @OfLeaderboard()
  @ApiProblems(401, 403)
  async points(
    @Param('leaderboard') leaderboard: string,
    @Param('userId') userId: string,
    @Query(QueryPipe) query: PointsQuery,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: unknown,
  ): Promise<string | undefined> {
    const scope = await this.standings.scopeOf('points', userId, request);
    const tellsExcluded = this.apiKey.isSelfOrKey(request, userId);
    const answer = await this.past.points(leaderboard, userId, { ...query, tellsExcluded });
    return tagged(this.adapterHost, { request, response }, answer, scope);
  }

  @Get(':leaderboard/users/:userId/history')
  @ApiTagged(RankHistory, 'Where the user stood in periods that have ended, the latest first.')
  @OfLeaderboard()
  @ApiProblems(401, 403)
  async history(
    @Param('leaderboard') leaderboard: string,
    @Param('userId') userId: string,
    @Query(QueryPipe) query: RankHistoryQuery,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: unknown,
  ): Promise<string | undefined> {
    const scope = await this.standings.scopeOf('history', userId, request);
    const answer = await this.past.history(leaderboard, userId, query);
    return tagged(this.adapterHost, { request, response }, answer, scope);
  }
}
