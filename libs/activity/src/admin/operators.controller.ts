import { Get, Query, UseFilters } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '../peers/decorators';
import { Operation } from '../extensions/operation';
import { ApiKeyGuard } from '../http/api-key.guard';
import { ProblemFilter } from '../http/problem.filter';
import { ApiProblems } from '../http/problem.responses';
import { QueryPipe } from '../http/query.pipe';
import { WholeNumber } from '../http/query-fields';
import { Routes } from '../http/routes';
import { maxOperations, Operations } from './operations';
import { maxMinutes, OutcomeMinute, OutcomeMinutes } from './outcome-minutes';

/** How many minutes. */
export class OutcomesQuery {
  @WholeNumber({ min: 1, max: maxMinutes, default: maxMinutes, description: 'How many minutes, up to now.' })
  readonly minutes?: number;
}

/** The outcomes of the instance that answers. */
export class OutcomesAnswer {
  @ApiProperty({ format: 'date-time', description: 'Since when the instance counts.' })
  readonly since: string;

  @ApiProperty({ type: [OutcomeMinute], description: 'The present minute last.' })
  readonly minutes: readonly OutcomeMinute[];
}

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

/** What happened lately, for operators. */
@ApiTags('activity')
@ApiBearerAuth()
@ApiProblems(400, 401, 403, 503)
@Routes('activity', ApiKeyGuard)
@UseFilters(ProblemFilter)
export class OperatorsController {
  constructor(
    private readonly minutes: OutcomeMinutes,
    private readonly done: Operations,
  ) {}

  @Get('outcomes')
  @ApiOperation({
    summary: 'How many activities had each outcome in each of the last minutes.',
    description: 'Of the instance that answers, since its start. The metrics of each instance count for good.',
  })
  @ApiOkResponse({ type: OutcomesAnswer })
  outcomes(@Query(QueryPipe) { minutes = maxMinutes }: OutcomesQuery): OutcomesAnswer {
    return { since: this.minutes.since, minutes: this.minutes.last(minutes) };
  }

  @Get('operations')
  @ApiOperation({ summary: 'Who did what to whom, when and why, by an API key: the last 10,000, the latest first.' })
  @ApiOkResponse({ type: OperationsAnswer })
  async operations(@Query(QueryPipe) { limit = 100 }: OperationsQuery): Promise<OperationsAnswer> {
    return { operations: await this.done.recent(limit) };
  }
}
