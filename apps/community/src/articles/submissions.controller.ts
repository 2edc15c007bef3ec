import { ApiKeyGuard, ApiProblems, OperationInterceptor, ProblemValidationPipe } from '@laurel/activity/http';
import {
  Body,
  Controller,
  Get,
  HttpCode,
  Param,
  Post,
  Query,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { IdPipe } from '../input/id.pipe';
import { PageQuery, rangeOf } from '../input/page-query';
import { Refusal } from './article.dto';
import { DecidedSubmission, SubmissionList } from './submission.responses';
import { SubmissionsService } from './submissions.service';

/** Articles that wait to be reviewed. For moderators with the API key. */
@ApiTags('administration')
@ApiBearerAuth()
@ApiProblems(400, 401, 403, 503)
@Controller('submissions')
@UseGuards(ApiKeyGuard)
@UseInterceptors(OperationInterceptor)
@UsePipes(ProblemValidationPipe)
export class SubmissionsController {
  constructor(private readonly submissions: SubmissionsService) {}

  @Get()
  @ApiOperation({ summary: 'Articles that wait to be reviewed, the oldest first.' })
  @ApiOkResponse({ type: SubmissionList })
  list(@Query() query: PageQuery): Promise<SubmissionList> {
    return this.submissions.waiting(rangeOf(query));
  }

  @Post(':id/approve')
  @HttpCode(200)
  @ApiOperation({ summary: 'Puts the article online, and gives its author the points.' })
  @ApiParam({ name: 'id', example: '3' })
  @ApiOkResponse({ type: DecidedSubmission })
  @ApiProblems(404, 409)
  approve(@Param('id', IdPipe) id: string): Promise<DecidedSubmission> {
    return this.submissions.decide(id, { decision: 'approved' });
  }

  @Post(':id/refuse')
  @HttpCode(200)
  @ApiOperation({ summary: 'Keeps the article offline, and tells its author why.' })
  @ApiParam({ name: 'id', example: '3' })
  @ApiOkResponse({ type: DecidedSubmission })
  @ApiProblems(404, 409)
  refuse(@Param('id', IdPipe) id: string, @Body() { reason }: Refusal): Promise<DecidedSubmission> {
    return this.submissions.decide(id, { decision: 'refused', reason });
  }
}
