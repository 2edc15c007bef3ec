import { Delete, Param, UseFilters } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiParam, ApiProperty, ApiTags } from '../../peers/decorators';
import { ApiKeyGuard } from '../../http/api-key.guard';
import { ProblemFilter } from '../../http/problem.filter';
import { ApiProblems } from '../../http/problem.responses';
import { Routes } from '../../http/routes';
import { ErasureReceipt, Erasures } from './erasures';

/** Whether a user was let in again. */
export class ReadmissionAnswer {
  @ApiProperty({ example: '42' })
  readonly userId: string;

  @ApiProperty({ description: 'False: the user was not refused.', example: true })
  readonly readmitted: boolean;
}

/** Erasing users. For services and operators with the API key. */
@ApiTags('administration')
@ApiBearerAuth()
@ApiProblems(400, 401, 403, 503)
@Routes('activity', ApiKeyGuard)
@UseFilters(ProblemFilter)
export class ErasureController {
  constructor(private readonly erasures: Erasures) {}

  @Delete('users/:userId')
  @ApiOperation({
    summary: 'Erases a user everywhere and answers how much was erased, by kind.',
    description: 'Safe to repeat: what was cut short is gone on with, and what is gone counts 0.',
  })
  @ApiParam({ name: 'userId', example: '42' })
  @ApiOkResponse({ type: ErasureReceipt })
  erase(@Param('userId') userId: string): Promise<ErasureReceipt> {
    return this.erasures.erase(userId);
  }

  @Delete('erasures/:userId')
  @ApiOperation({
    summary: 'Lets a user in again who was erased.',
    description:
      'For somebody who comes back under the same id. Until then what comes of an erased user is refused, for as long as anything of before may arrive. What was erased stays erased.',
  })
  @ApiParam({ name: 'userId', example: '42' })
  @ApiOkResponse({ type: ReadmissionAnswer })
  async readmit(@Param('userId') userId: string): Promise<ReadmissionAnswer> {
    return { userId, readmitted: await this.erasures.readmit(userId) };
  }
}
