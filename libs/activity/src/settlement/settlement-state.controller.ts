import { Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '../core/peers/decorators';
import { OperatorRoutes } from '../core/http/mounting';
import { SettlementState } from './settlement-state';
import { SettlementAnswer } from './settlement-state.responses';

/** The state of settling, for operators. */
@OperatorRoutes('activity/settlement', 'activity')
export class SettlementStateController {
  constructor(private readonly settlement: SettlementState) {}

  @Get()
  @ApiOperation({ summary: 'Of each leaderboard: the current period, those that wait, and the last that was settled.' })
  @ApiOkResponse({ type: SettlementAnswer })
  state(): Promise<SettlementAnswer> {
    return this.settlement.read();
  }
}
