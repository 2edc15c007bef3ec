import { Get, Query, UseFilters } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '../peers/decorators';
import { ApiKeyGuard } from '../http/api-key.guard';
import { ProblemFilter } from '../http/problem.filter';
import { ApiProblems } from '../http/problem.responses';
import { ProblemValidationPipe } from '../http/problem-validation.pipe';
import { WholeNumber } from '../http/query-fields';
import { Routes } from '../http/routes';
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

/** The latest outcomes, for operators. */
@ApiTags('activity')
@ApiBearerAuth()
@ApiProblems(400, 401, 403, 503)
@Routes('activity/outcomes', ApiKeyGuard)
@UseFilters(ProblemFilter)
export class OutcomesController {
  constructor(private readonly minutes: OutcomeMinutes) {}

  @Get()
  @ApiOperation({
    summary: 'How many activities had each outcome in each of the last minutes.',
    description: 'Of the instance that answers, since its start. The metrics of each instance count for good.',
  })
  @ApiOkResponse({ type: OutcomesAnswer })
  outcomes(@Query(new ProblemValidationPipe()) { minutes = maxMinutes }: OutcomesQuery): OutcomesAnswer {
    return { since: this.minutes.since, minutes: this.minutes.last(minutes) };
  }
}
