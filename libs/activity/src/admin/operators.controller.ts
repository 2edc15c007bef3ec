import { Get, Query, UseFilters } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '../core/peers/decorators';
import { Operation } from '../core/extensions/operation';
import { ApiKeyGuard } from '../core/http/api-key.guard';
import { ProblemFilter } from '../core/http/problem.filter';
import { ApiProblems } from '../core/http/problem.responses';
import { QueryPipe } from '../core/http/query.pipe';
import { WholeNumber } from '../core/http/query-fields';
import { Routes } from '../core/http/routes';
import { maxOperations, Operations } from './operations';

/** How many operations. */
export class OperationsQuery {
  @WholeNumber({ min: 1, max: maxOperations, default: 100, description: 'How many at most.' })
  readonly limit?: number;
}

/** What operators did, the latest first. */
export class OperationsAnswer {
  @ApiProperty({ type: [Operation] })
  readonly operations: readonly Operation[];
}

/** What operators did, for operators. */
@ApiTags('activity')
@ApiBearerAuth()
@ApiProblems(400, 401, 403, 503)
@Routes('activity', ApiKeyGuard)
@UseFilters(ProblemFilter)
export class OperatorsController {
  constructor(private readonly done: Operations) {}

  @Get('operations')
  @ApiOperation({ summary: 'Who did what to whom, when and why, by an API key: the last 10,000, the latest first.' })
  @ApiOkResponse({ type: OperationsAnswer })
  async operations(@Query(QueryPipe) { limit = 100 }: OperationsQuery): Promise<OperationsAnswer> {
    return { operations: await this.done.recent(limit) };
  }
}
