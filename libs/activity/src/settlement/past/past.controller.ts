import { Get, Param, Query, UseFilters, UsePipes } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Tagged } from '../../http/tagged';
import { ProblemFilter } from '../../http/problem.filter';
import { ApiProblems } from '../../http/problem.responses';
import { QueryPipe } from '../../http/query.pipe';
import { Routes } from '../../http/routes';
import { PeriodsQuery, PointsQuery, RankHistoryQuery } from './past.dto';
import { RankHistory, RankPeriods, RankPoints } from './past.responses';
import { PastRanks } from './past-ranks';

/** Public reads of periods that have ended. */
@ApiTags('ranks')
@ApiProblems(503)
@Routes('ranks')
@UseFilters(ProblemFilter)
@UsePipes(QueryPipe)
export class PastController {
  constructor(private readonly past: PastRanks) {}

  @Get(':leaderboard/periods')
  @ApiOperation({ summary: 'The periods that can be read, live and archived, the latest first.' })
  @ApiParam({ name: 'leaderboard', example: 'day' })
  @Tagged(RankPeriods)
  @ApiProblems(400, 404)
  periods(@Param('leaderboard') leaderboard: string, @Query() query: PeriodsQuery): Promise<RankPeriods> {
    return this.past.periods(leaderboard, query);
  }

  @Get(':leaderboard/users/:userId/points')
  @ApiOperation({
    summary: "The user's points in each period of a time, the current one included: for a year of days.",
  })
  @ApiParam({ name: 'leaderboard', example: 'day' })
  @ApiParam({ name: 'userId', example: '42' })
  @Tagged(RankPoints)
  @ApiProblems(400, 404)
  points(
    @Param('leaderboard') leaderboard: string,
    @Param('userId') userId: string,
    @Query() query: PointsQuery,
  ): Promise<RankPoints> {
    return this.past.points(leaderboard, userId, query);
  }

  @Get(':leaderboard/users/:userId/history')
  @ApiOperation({ summary: 'Where the user stood in periods that have ended, the latest first.' })
  @ApiParam({ name: 'leaderboard', example: 'day' })
  @ApiParam({ name: 'userId', example: '42' })
  @Tagged(RankHistory)
  @ApiProblems(400, 404)
  history(
    @Param('leaderboard') leaderboard: string,
    @Param('userId') userId: string,
    @Query() query: RankHistoryQuery,
  ): Promise<RankHistory> {
    return this.past.history(leaderboard, userId, query);
  }
}
