import { Body, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiBody } from '../../core/peers/decorators';
import { Answers, ApiProblems } from '../../core/http/problem.responses';
import { OperatorRoutes } from '../../shared/operator-routes';
import { Fits } from '../../core/http/validation';
import { readBody, user } from '../checks';
import { ErasureReceipt, Erasures } from './erasures';
import { Merge, MergeReceipt, Merges } from './merges';
import { Deletion, DeletionReceipt, SubjectDeletions } from './subject-deletions';

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
  constructor(private readonly erasures: Erasures) {}

  @Delete('users/:userId')
  @Answers(ErasureReceipt, 'Erases a user everywhere, and answers with the receipt.', {
    description:
      'Erasures run one at a time, and continue on another instance after a crash. The answer comes when this one is done, or after two seconds: while its `state` is not `done`, ask for the receipt by its id. Safe to repeat: data that was removed before counts 0.',
    status: 202,
  })
  erase(@Param('userId') userId: string): Promise<ErasureReceipt> {
    return this.erasures.ask(userId);
  }

  @Get('erasure-receipts/:id')
  @Answers(ErasureReceipt, 'The receipt of an erasure; of those that are done the last 1,000 are kept.')
  @ApiProblems(404)
  find(@Param('id') id: string): Promise<ErasureReceipt> {
    return this.erasures.find(id);
  }

  @Post('readmissions')
  @Answers(ReadmissionAnswer, 'Accepts activities of an erased user again.', {
    description:
      'For a user who comes back under the same id. Until then activities of an erased user are refused, for as long as earlier ones may arrive. Erased data stays erased.',
  })
  @ApiBody({ type: Readmission })
  @ApiProblems(413, 415)
  async readmit(@Body() body: unknown): Promise<ReadmissionAnswer> {
    const { userId } = readBody(Readmission, body);
    return { userId, readmitted: await this.erasures.readmit(userId) };
  }
}

/** Deleting subjects. For services and operators with the API key. */
@OperatorRoutes('activity', 'administration')
export class DeletionsController {
  constructor(private readonly deletions: SubjectDeletions) {}

  @Post('deletions')
  @Answers(DeletionReceipt, 'Takes back all that a subject earned, and answers with the receipt.', {
    description:
      'From all users who did something to it, and from its owner. Deletions run one at a time, and continue on another instance after a crash. The answer comes when this one is done, or after two seconds: while its `state` is not `done`, ask for the receipt by its id. Safe to repeat: points that were taken before count 0.',
    status: 202,
  })
  @ApiBody({ type: Deletion })
  @ApiProblems(413, 415)
  delete(@Body() body: unknown): Promise<DeletionReceipt> {
    return this.deletions.delete(readBody(Deletion, body).subject);
  }

  @Get('deletion-receipts/:id')
  @Answers(DeletionReceipt, 'The receipt of a deletion; of those that are done the last 1,000 are kept.')
  @ApiProblems(404)
  find(@Param('id') id: string): Promise<DeletionReceipt> {
    return this.deletions.find(id);
  }
}

/** Making two accounts one. For services and operators with the API key. */
@OperatorRoutes('activity', 'administration')
export class MergesController {
  constructor(private readonly merges: Merges) {}

  @Post('merges')
  @Answers(MergeReceipt, 'Makes two accounts one, and answers with the receipt.', {
    description:
      'What was recorded of `from` is joined into `into`: nothing counts twice, limits judge all of it together, and open boards move by the difference. Then `from` is erased, and its activities are refused. Settled periods stay. Merges run one at a time, and continue on another instance after a crash. The answer comes when this one is done, or after two seconds: while its `state` is not `done`, ask for the receipt by its id.',
    status: 202,
  })
  @ApiBody({ type: Merge })
  @ApiProblems(409, 410, 413, 415)
  merge(@Body() body: unknown): Promise<MergeReceipt> {
    return this.merges.merge(readBody(Merge, body));
  }

  @Get('merge-receipts/:id')
  @Answers(MergeReceipt, 'The receipt of a merge; of those that are done the last 1,000 are kept.')
  @ApiProblems(404)
  find(@Param('id') id: string): Promise<MergeReceipt> {
    return this.merges.find(id);
  }
}
