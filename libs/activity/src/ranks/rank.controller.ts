import { Body, Controller, Get, Header, HttpCode, Param, Post, Query, UseFilters, UsePipes } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { jsonOf } from '../http/json-copy';
import { ApiProblems } from '../problems/problem.responses';
import { ProblemFilter } from '../problems/problem.filter';
import { QueryPipe } from '../problems/query.pipe';
import {
  AroundQuery,
  LookupBody,
  LookupQuery,
  PeriodsQuery,
  RankHistoryQuery,
  RankQuery,
  StandingsQuery,
} from './rank.dto';
import { RankHistory, RankLeaderboards, RankLookup, RankPage, RankPeriods, RankStanding } from './rank.responses';
import { RankService } from './rank.service';

/** Public reads of the leaderboards. On Fastify, long user ids in paths need `problemFastifyOptions`. */
@ApiTags('ranks')
@ApiProblems(503)
@Controller('ranks')
@UseFilters(ProblemFilter)
@UsePipes(QueryPipe)
export class RankController {
  constructor(private readonly ranks: RankService) {}

  @Get()
  @ApiOperation({ summary: 'The leaderboards: what counts on each, and its current period.' })
  @ApiOkResponse({ type: RankLeaderboards })
  async list(): Promise<RankLeaderboards> {
    return { leaderboards: await this.ranks.list() };
  }

  @Get(':leaderboard')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @ApiOperation({ summary: 'A page of standings.' })
  @ApiParam({ name: 'leaderboard', example: 'day' })
  @ApiOkResponse({ type: RankPage })
  @ApiProblems(400, 404)
  async standings(@Param('leaderboard') leaderboard: string, @Query() query: StandingsQuery): Promise<string> {
    return jsonOf(await this.ranks.standings(leaderboard, query));
  }

  @Get(':leaderboard/periods')
  @ApiOperation({ summary: 'The periods that can be read, live and archived, the latest first.' })
  @ApiParam({ name: 'leaderboard', example: 'day' })
  @ApiOkResponse({ type: RankPeriods })
  @ApiProblems(400, 404)
  periods(@Param('leaderboard') leaderboard: string, @Query() query: PeriodsQuery): Promise<RankPeriods> {
    return this.ranks.periods(leaderboard, query);
  }

  @Get(':leaderboard/users/:userId')
  @ApiOperation({
    summary: "One user's entry, his title and percentile, who is a place ahead of him, and what the first ten have.",
  })
  @ApiParam({ name: 'leaderboard', example: 'day' })
  @ApiParam({ name: 'userId', example: '42' })
  @ApiOkResponse({ type: RankStanding })
  @ApiProblems(400, 404)
  standing(
    @Param('leaderboard') leaderboard: string,
    @Param('userId') userId: string,
    @Query() query: RankQuery,
  ): Promise<RankStanding> {
    return this.ranks.standing(leaderboard, userId, query);
  }

  @Get(':leaderboard/users/:userId/around')
  @ApiOperation({ summary: 'The user in the middle of his neighbours.' })
  @ApiParam({ name: 'leaderboard', example: 'day' })
  @ApiParam({ name: 'userId', example: '42' })
  @ApiOkResponse({ type: RankPage })
  @ApiProblems(400, 404)
  around(
    @Param('leaderboard') leaderboard: string,
    @Param('userId') userId: string,
    @Query() query: AroundQuery,
  ): Promise<RankPage> {
    return this.ranks.around(leaderboard, userId, query);
  }

  @Get(':leaderboard/users/:userId/history')
  @ApiOperation({ summary: 'Where the user stood in periods that have ended, the latest first.' })
  @ApiParam({ name: 'leaderboard', example: 'day' })
  @ApiParam({ name: 'userId', example: '42' })
  @ApiOkResponse({ type: RankHistory })
  @ApiProblems(400, 404)
  history(
    @Param('leaderboard') leaderboard: string,
    @Param('userId') userId: string,
    @Query() query: RankHistoryQuery,
  ): Promise<RankHistory> {
    return this.ranks.history(leaderboard, userId, query);
  }

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
