import { Body, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiOkResponse, ApiOperation } from '../../core/peers/decorators';
import { ApiProblems } from '../../core/http/problem.responses';
import { OperatorRoutes } from '../../core/http/mounting';
import { readBody } from '../checks';
import { Deletion, DeletionReceipt, SubjectDeletions } from './subject-deletions';

/** Deleting subjects. For services and operators with the API key. */
@OperatorRoutes('activity', 'administration')
export class DeletionsController {
  constructor(private readonly deletions: SubjectDeletions) {}

  @Post('deletions')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Takes back all that a subject earned, and answers with the receipt.',
    description:
      'From all users who did something to it, and from its owner. Deletions run one at a time, and continue on another instance after a crash. The answer comes when this one is done, or after two seconds: while its `state` is not `done`, ask for the receipt by its id. Safe to repeat: points that were taken before count 0.',
  })
  @ApiBody({ type: Deletion })
  @ApiAcceptedResponse({ type: DeletionReceipt })
  @ApiProblems(413, 415)
  delete(@Body() body: unknown): Promise<DeletionReceipt> {
    return this.deletions.delete(readBody(Deletion, body).subject);
  }

  @Get('deletion-receipts/:id')
  @ApiOperation({ summary: 'The receipt of a deletion; of those that are done the last 1,000 are kept.' })
  @ApiOkResponse({ type: DeletionReceipt })
  @ApiProblems(404)
  find(@Param('id') id: string): Promise<DeletionReceipt> {
    return this.deletions.find(id);
  }
}
