import { Body, Controller, Delete, Get, Param, Put, Query, UseFilters, UseGuards, UsePipes } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { ApiKeyGuard } from '../../http/api-key.guard';
import { ProblemFilter } from '../../http/problem.filter';
import { ApiProblems } from '../../http/problem.responses';
import { ProblemValidationPipe } from '../../http/problem-validation.pipe';
import { ExclusionBody, ScanQuery } from './exclusion.dto';
import { ExclusionList, ExclusionStateAnswer } from './exclusion.responses';
import { Exclusions } from './exclusions';

/** Who is kept off the leaderboards. For services and operators with the API key. */
@ApiTags('administration')
@ApiBearerAuth()
@ApiProblems(400, 401, 403, 410, 503)
@Controller('activity/exclusions')
@UseFilters(ProblemFilter)
@UseGuards(ApiKeyGuard)
@UsePipes(ProblemValidationPipe)
export class ExclusionsController {
  constructor(private readonly exclusions: Exclusions) {}

  /** `GET /activity/exclusions` */
  @Get()
  @ApiOperation({ summary: 'Those who are kept off the leaderboards, and why; in no order.' })
  @ApiOkResponse({ type: ExclusionList })
  list(@Query() query: ScanQuery): Promise<ExclusionList> {
    return this.exclusions.list(query);
  }

  /** `GET /activity/exclusions/:userId` */
  @Get(':userId')
  @ApiOperation({ summary: 'Whether a user is kept off the leaderboards, and why.' })
  @ApiParam({ name: 'userId', example: '42' })
  @ApiOkResponse({ type: ExclusionStateAnswer })
  find(@Param('userId') userId: string): Promise<ExclusionStateAnswer> {
    return this.exclusions.find(userId);
  }

  /** `PUT /activity/exclusions/:userId` */
  @Put(':userId')
  @ApiOperation({
    summary: 'Keeps a user off every leaderboard, live and archived.',
    description: 'No gap is left in the ranks of others. The points of the user go on being counted. Safe to repeat.',
  })
  @ApiParam({ name: 'userId', example: '42' })
  @ApiOkResponse({ type: ExclusionStateAnswer })
  @ApiProblems(415)
  exclude(@Param('userId') userId: string, @Body() body?: ExclusionBody): Promise<ExclusionStateAnswer> {
    return this.exclusions.exclude(userId, body ?? {});
  }

  /** `DELETE /activity/exclusions/:userId` */
  @Delete(':userId')
  @ApiOperation({
    summary: 'Shows a user again, at the rank of their points.',
    description: 'Unless the directory or the review queue has a reason of its own: `excluded` tells. Safe to repeat.',
  })
  @ApiParam({ name: 'userId', example: '42' })
  @ApiOkResponse({ type: ExclusionStateAnswer })
  include(@Param('userId') userId: string): Promise<ExclusionStateAnswer> {
    return this.exclusions.include(userId);
  }
}
