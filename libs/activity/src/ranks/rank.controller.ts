import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res, UseFilters, UsePipes } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Viewer } from '../http/viewer';
import { ApiTagged } from '../http/api-tagged';
import type { HttpRequest } from '../http/request';
import { TaggedAnswers } from '../http/tagged-answers';
import { ApiProblems } from '../http/problem.responses';
import { ProblemFilter } from '../http/problem.filter';
import { QueryPipe } from '../http/query.pipe';
import { AroundQuery, LookupBody, LookupQuery, PartitionsQuery, RankQuery, StandingsQuery } from './rank.dto';
import { RankLeaderboards, RankLookup, RankPage, RankPartitions, RankStanding } from './rank.responses';
import { RankService } from './rank.service';

/** Public reads of the leaderboards. On Fastify, long user ids in paths need `problemFastifyOptions`. */
@ApiTags('ranks')
@ApiProblems(503)
@Controller('ranks')
@UseFilters(ProblemFilter)
@UsePipes(QueryPipe)
export class RankController {
  constructor(
    private readonly ranks: RankService,
    private readonly viewer: Viewer,
    private readonly tagged: TaggedAnswers,
  ) {}

  /** `GET /ranks` */
  @Get()
  @ApiOperation({ summary: 'The leaderboards: what counts on each, and its current period.' })
  @ApiOkResponse({ type: RankLeaderboards })
  async list(): Promise<RankLeaderboards> {
    return { leaderboards: await this.ranks.list() };
  }

  /** `GET /ranks/:leaderboard` */
  @Get(':leaderboard')
  @ApiOperation({ summary: 'A page of standings.' })
  @ApiParam({ name: 'leaderboard', example: 'day' })
  @ApiTagged(RankPage)
  @ApiProblems(400, 404)
  async standings(
    @Param('leaderboard') leaderboard: string,
    @Query() query: StandingsQuery,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: unknown,
  ): Promise<string | undefined> {
    return this.tagged.give({ request, response }, await this.ranks.standings(leaderboard, query));
  }

  /** `GET /ranks/:leaderboard/partitions` */
  @Get(':leaderboard/partitions')
  @ApiOperation({ summary: 'The partitions of a leaderboard that have entries, by name.' })
  @ApiParam({ name: 'leaderboard', example: 'category' })
  @ApiTagged(RankPartitions)
  @ApiProblems(400, 404)
  async partitions(
    @Param('leaderboard') leaderboard: string,
    @Query() query: PartitionsQuery,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: unknown,
  ): Promise<string | undefined> {
    return this.tagged.give({ request, response }, await this.ranks.partitions(leaderboard, query));
  }

  /** `GET /ranks/:leaderboard/users/:userId` */
  @Get(':leaderboard/users/:userId')
  @ApiOperation({
    summary:
      "One user's entry, title and percentile, the user with the next better rank, and the points of the top ten.",
  })
  @ApiParam({ name: 'leaderboard', example: 'day' })
  @ApiParam({ name: 'userId', example: '42' })
  @ApiTagged(RankStanding)
  @ApiProblems(400, 404)
  async standing(
    @Param('leaderboard') leaderboard: string,
    @Param('userId') userId: string,
    @Query() query: RankQuery,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: unknown,
  ): Promise<string | undefined> {
    const tellsExcluded = this.viewer.isSelfOrKey(request, userId);
    const answer = await this.ranks.standing(leaderboard, userId, tellsExcluded ? { ...query, tellsExcluded } : query);
    return this.tagged.give({ request, response }, answer, 'private');
  }

  /** `GET /ranks/:leaderboard/users/:userId/around` */
  @Get(':leaderboard/users/:userId/around')
  @ApiOperation({ summary: 'The user in the middle of their neighbours.' })
  @ApiParam({ name: 'leaderboard', example: 'day' })
  @ApiParam({ name: 'userId', example: '42' })
  @ApiTagged(RankPage)
  @ApiProblems(400, 404)
  async around(
    @Param('leaderboard') leaderboard: string,
    @Param('userId') userId: string,
    @Query() query: AroundQuery,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: unknown,
  ): Promise<string | undefined> {
    return this.tagged.give({ request, response }, await this.ranks.around(leaderboard, userId, query));
  }

  /** `POST /ranks/:leaderboard/lookup` */
  @Post(':leaderboard/lookup')
  @HttpCode(200)
  @ApiOperation({ summary: "The entries of up to 200 users, in the order asked: a friends' board." })
  @ApiParam({ name: 'leaderboard', example: 'day' })
  @ApiOkResponse({ type: RankLookup })
  @ApiProblems(400, 404, 413, 415)
  lookup(
    @Param('leaderboard') leaderboard: string,
    @Query() query: LookupQuery,
    @Body() { userIds }: LookupBody,
  ): Promise<RankLookup> {
    return this.ranks.lookup(leaderboard, userIds, query);
  }
}
