import { Body, Delete, Get, Param, Put, Query, UsePipes } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '../../core/peers/decorators';
import { ApiProblems } from '../../core/http/problem.responses';
import { ProblemValidationPipe } from '../../core/http/validation';
import { OperatorRoutes } from '../../core/http/mounting';
import { ExclusionList, ExclusionState } from './exclusion';
import { ExclusionOptions, ScanQuery } from './exclusion.dto';
import { Exclusions } from './exclusions';

/** Which users are excluded from the leaderboards. For services and operators with the API key. */
@OperatorRoutes('activity/exclusions', 'administration')
@ApiProblems(410)
@UsePipes(ProblemValidationPipe)
export class ExclusionsController {
  constructor(private readonly exclusions: Exclusions) {}

  @Get()
  @ApiOperation({ summary: 'The users that are excluded from the leaderboards, and why; in no order.' })
  @ApiOkResponse({ type: ExclusionList })
  list(@Query() query: ScanQuery): Promise<ExclusionList> {
    return this.exclusions.list(query);
  }

  @Get(':userId')
  @ApiOperation({ summary: 'Whether a user is excluded from the leaderboards, and why.' })
  @ApiOkResponse({ type: ExclusionState })
  find(@Param('userId') userId: string): Promise<ExclusionState> {
    return this.exclusions.find(userId);
  }

  @Put(':userId')
  @ApiOperation({
    summary: 'Excludes a user from every leaderboard, live and archived.',
    description: 'Other users move up. The points of the user continue to count. Safe to repeat.',
  })
  @ApiOkResponse({ type: ExclusionState })
  @ApiProblems(415)
  exclude(@Param('userId') userId: string, @Body() body?: ExclusionOptions): Promise<ExclusionState> {
    return this.exclusions.exclude(userId, body ?? {});
  }

  @Delete(':userId')
  @ApiOperation({
    summary: 'Shows a user again, at the rank of their points.',
    description:
      'While the directory, the review queue or the user has another exclusion, `excluded` stays true. Safe to repeat.',
  })
  @ApiOkResponse({ type: ExclusionState })
  include(@Param('userId') userId: string): Promise<ExclusionState> {
    return this.exclusions.include(userId);
  }
}
