import { Delete, Get, HttpCode, Param, UseFilters } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBearerAuth,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '../../peers/decorators';
import { ApiKeyGuard } from '../../http/api-key.guard';
import { ProblemFilter } from '../../http/problem.filter';
import { ApiProblems } from '../../http/problem.responses';
import { Routes } from '../../http/routes';
import { DeletionReceipt } from './deletion-receipt';
import { SubjectDeletions } from './subject-deletions';

/** Deleting subjects. For services and operators with the API key. */
@ApiTags('administration')
@ApiBearerAuth()
@ApiProblems(400, 401, 403, 503)
@Routes('activity', ApiKeyGuard)
@UseFilters(ProblemFilter)
export class DeletionsController {
  constructor(private readonly deletions: SubjectDeletions) {}

  @Delete('subjects/:subject')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Takes back all that a subject earned, and answers with the receipt.',
    description:
      'From everybody who did something to it, and from its owner. Deletions are done one after the other, whatever becomes of the instance that was asked. The answer comes when this one is done, after two seconds at the latest: while its `state` is not `done`, ask for the receipt by its id. Safe to repeat: what was taken counts 0.',
  })
  @ApiParam({ name: 'subject', example: 'article:7' })
  @ApiAcceptedResponse({ type: DeletionReceipt })
  delete(@Param('subject') subject: string): Promise<DeletionReceipt> {
    return this.deletions.delete(subject);
  }

  @Get('deletion-receipts/:id')
  @ApiOperation({ summary: 'The receipt of a deletion; of those that are done the last 1,000 are kept.' })
  @ApiOkResponse({ type: DeletionReceipt })
  @ApiProblems(404)
  find(@Param('id') id: string): Promise<DeletionReceipt> {
    return this.deletions.find(id);
  }
}
