import { Controller, Get, Query, UseFilters, UseGuards, UsePipes } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AdjustmentTrace } from '../moderation/adjustments/adjustment-trace';
import { ApiKeyGuard } from '../http/api-key.guard';
import { ProblemFilter } from '../http/problem.filter';
import { ApiProblems } from '../http/problem.responses';
import { ProblemValidationPipe } from '../http/problem-validation.pipe';
import { AdjustmentsQuery, OutcomesQuery } from './operators.dto';
import { AdjustmentsAnswer, OutcomesAnswer, SettlementAnswer } from './operators.responses';
import { maxMinutes, OutcomeMinutes } from './outcome-minutes';
import { SettlementState } from './settlement-state';

/** What operators look at: how settling stands, what is being recorded, what was adjusted. */
@ApiTags('activity')
@ApiBearerAuth()
@ApiProblems(400, 401, 403, 503)
@Controller('activity')
@UseFilters(ProblemFilter)
@UseGuards(ApiKeyGuard)
@UsePipes(ProblemValidationPipe)
export class OperatorsController {
  constructor(
    private readonly settlement: SettlementState,
    private readonly minutes: OutcomeMinutes,
    private readonly adjusted: AdjustmentTrace,
  ) {}

  @Get('settlement')
  @ApiOperation({
    summary: 'Of each leaderboard: the period that runs, those that wait, and the last that was settled.',
  })
  @ApiOkResponse({ type: SettlementAnswer })
  state(): Promise<SettlementAnswer> {
    return this.settlement.read();
  }

  @Get('outcomes')
  @ApiOperation({
    summary: 'How many activities ended how in each of the last minutes.',
    description: 'Of the instance that answers, since its start: the metrics have them for good, of each instance.',
  })
  @ApiOkResponse({ type: OutcomesAnswer })
  outcomes(@Query() { minutes = maxMinutes }: OutcomesQuery): OutcomesAnswer {
    return { since: this.minutes.since, minutes: this.minutes.last(minutes) };
  }

  @Get('adjustments')
  @ApiOperation({ summary: 'The latest adjustments of points, up to 1,000 of them, the latest first.' })
  @ApiOkResponse({ type: AdjustmentsAnswer })
  async adjustments(@Query() { limit = 100 }: AdjustmentsQuery): Promise<AdjustmentsAnswer> {
    return { adjustments: await this.adjusted.recent(limit) };
  }
}
