import { byMoment, RulesInForce } from '@laurel/activity/internals';
import { systemClock } from '@laurel/leaderboard';
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PointsList } from './points.responses';

/** How points are earned, for the pages and for other clients. */
@ApiTags('points')
@Controller('points')
export class PointsController {
  constructor(private readonly rules: RulesInForce) {}

  @Get()
  @ApiOperation({ summary: 'What each action is worth now, for each subject.' })
  @ApiOkResponse({ type: PointsList })
  list(): PointsList {
    const nowMs = systemClock.now();
    const actions = this.rules.book.rules.map((rule) => {
      const { action, revocable } = rule;
      return { action, points: byMoment(rule, ({ points }) => points)(nowMs), revocable };
    });
    return { actions };
  }
}
