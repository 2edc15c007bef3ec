import { Body, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiOkResponse, ApiOperation } from '../../core/peers/decorators';
import { ApiProblems } from '../../core/http/problem.responses';
import { OperatorRoutes } from '../../core/http/mounting';
import { Fits } from '../../core/http/validation';
import { readBody, user } from '../checks';
import { ErasureQueue, ErasureReceipt } from './erasure-queue';
import { Erasures } from './erasures';

/** The user to readmit. */
export class Readmission {
  /** @example 42 */
  @Fits(user)
  readonly userId: string;
}

/** Whether a user was let in again. */
export class ReadmissionAnswer {
  /** @example 42 */
  readonly userId: string;
  /** False: the user was not refused. @example true */
  readonly readmitted: boolean;
}

/** Erasing users. For services and operators with the API key. */
@OperatorRoutes('activity', 'administration')
export class ErasureController {
  constructor(
    private readonly erasures: Erasures,
    private readonly queue: ErasureQueue,
  ) {}

  @Delete('users/:userId')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Erases a user everywhere, and answers with the receipt.',
    description:
      'Erasures run one at a time, and continue on another instance after a crash. The answer comes when this one is done, or after two seconds: while its `state` is not `done`, ask for the receipt by its id. Safe to repeat: data that was removed before counts 0.',
  })
  @ApiAcceptedResponse({ type: ErasureReceipt })
  erase(@Param('userId') userId: string): Promise<ErasureReceipt> {
    return this.queue.ask(userId);
  }

  @Get('erasure-receipts/:id')
  @ApiOperation({ summary: 'The receipt of an erasure; of those that are done the last 1,000 are kept.' })
  @ApiOkResponse({ type: ErasureReceipt })
  @ApiProblems(404)
  find(@Param('id') id: string): Promise<ErasureReceipt> {
    return this.queue.find(id);
  }

  @Post('readmissions')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Accepts activities of an erased user again.',
    description:
      'For a user who comes back under the same id. Until then activities of an erased user are refused, for as long as earlier ones may arrive. Erased data stays erased.',
  })
  @ApiBody({ type: Readmission })
  @ApiOkResponse({ type: ReadmissionAnswer })
  @ApiProblems(413, 415)
  async readmit(@Body() body: unknown): Promise<ReadmissionAnswer> {
    const { userId } = readBody(Readmission, body);
    return { userId, readmitted: await this.erasures.readmit(userId) };
  }
}
