import { Get, Query, UseFilters } from '@nestjs/common';
import { Operation } from '../extensions/operation';
import { ApiKeyGuard } from '../http/api-key.guard';
import { ProblemFilter } from '../http/problem.filter';
import { ApiProblems } from '../http/problem.responses';
import { WholeNumber } from '../http/query-fields';
import { QueryPipe } from '../http/query.pipe';
import { Routes } from '../http/routes';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '../peers/decorators';
import { maxOperations, Operations } from './operations';

/** How many. */
export class OperationsQuery {
  @WholeNumber({ min: 1, max: maxOperations, default: 100, description: 'How many at most.' })
  readonly limit?: number;
}

/** What operators did, the latest first. */
export class OperationsAnswer {
  @ApiProperty({ type: [Operation] })
  readonly operations: readonly Operation[];
}

/** Who of the operators did what. */
@ApiTags('administration')
@ApiBearerAuth()
@ApiProblems(400, 401, 403, 503)
@Routes('activity/operations', ApiKeyGuard)
@UseFilters(ProblemFilter)
export class OperationsController {
  constructor(private readonly operations: Operations) {}

  @Get()
  @ApiOperation({ summary: 'Who did what to whom, when and why, by an API key: the last 10,000, the latest first.' })
  @ApiOkResponse({ type: OperationsAnswer })
  async recent(@Query(QueryPipe) { limit = 100 }: OperationsQuery): Promise<OperationsAnswer> {
    return { operations: await this.operations.recent(limit) };
  }
}
