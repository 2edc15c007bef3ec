import { Get, UseFilters } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '../core/peers/decorators';
import { ApiKeyGuard } from '../core/http/api-key.guard';
import { ProblemFilter } from '../core/http/problem.filter';
import { ApiProblems } from '../core/http/problem.responses';
import { Routes } from '../core/http/routes';
import { SettlementState } from './settlement-state';
import { SettlementAnswer } from './settlement-state.responses';

/** The state of settling, for operators. */
@ApiTags('activity')
@ApiBearerAuth()
@ApiProblems(400, 401, 403, 503)
@Routes('activity/settlement', ApiKeyGuard)
@UseFilters(ProblemFilter)
export class SettlementStateController {
  constructor(private readonly settlement: SettlementState) {}

  @Get()
  @ApiOperation({
    summary: 'Of each leaderboard: the current period, those that wait, and the last that was settled.',
  })
  @ApiOkResponse({ type: SettlementAnswer })
  state(): Promise<SettlementAnswer> {
    return this.settlement.read();
  }
}
