import { Body, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiProblems } from '../../core/http/problem.responses';
import { OperatorRoutes } from '../../core/http/mounting';
import { ApiAcceptedResponse, ApiBody, ApiOkResponse, ApiOperation } from '../../core/peers/decorators';
import { readBody } from '../checks';
import { Merge, MergeReceipt, Merges } from './merges';

/** Making two accounts one. For services and operators with the API key. */
@OperatorRoutes('activity', 'administration')
export class MergesController {
  constructor(private readonly merges: Merges) {}

  @Post('merges')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Makes two accounts one, and answers with the receipt.',
    description:
      'What was recorded of `from` is joined into `into`: nothing counts twice, limits judge all of it together, and open boards move by the difference. Then `from` is erased, and its activities are refused. Settled periods stay. Merges run one at a time, and continue on another instance after a crash. The answer comes when this one is done, or after two seconds: while its `state` is not `done`, ask for the receipt by its id.',
  })
  @ApiBody({ type: Merge })
  @ApiAcceptedResponse({ type: MergeReceipt })
  @ApiProblems(409, 410, 413, 415)
  merge(@Body() body: unknown): Promise<MergeReceipt> {
    return this.merges.merge(readBody(Merge, body));
  }

  @Get('merge-receipts/:id')
  @ApiOperation({ summary: 'The receipt of a merge; of those that are done the last 1,000 are kept.' })
  @ApiOkResponse({ type: MergeReceipt })
  @ApiProblems(404)
  find(@Param('id') id: string): Promise<MergeReceipt> {
    return this.merges.find(id);
  }
}
