import { LiveRules } from '@laurel/activity';
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PointsList } from './points.responses';

/** How points are earned, for the pages and for other clients. */
@ApiTags('points')
@Controller('points')
export class PointsController {
  constructor(private readonly live: LiveRules) {}

  @Get()
  @ApiOperation({ summary: 'What each action is worth now, for each subject.' })
  @ApiOkResponse({ type: PointsList })
  list(): PointsList {
    return { actions: this.live.points };
  }
}
