import { RulesInForce } from '@laurel/activity';
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';

/** What one action is worth. */
export class PointsOfAction {
  @ApiProperty({ example: 'praise' })
  readonly action: string;

  @ApiProperty({ example: 2 })
  readonly points: number;

  @ApiProperty({ description: 'Whether undoing it takes the points back.' })
  readonly revocable: boolean;
}

/** What each action is worth. */
export class PointsList {
  @ApiProperty({ type: [PointsOfAction] })
  readonly actions: readonly PointsOfAction[];
}

/** How points are earned, for the web page and whoever wonders. */
@ApiTags('points')
@Controller('points')
export class PointsController {
  constructor(private readonly rules: RulesInForce) {}

  @Get()
  @ApiOperation({ summary: 'What each action is worth, once a day for each subject.' })
  @ApiOkResponse({ type: PointsList })
  list(): PointsList {
    return { actions: this.rules.book.rules.map(({ action, points, revocable }) => ({ action, points, revocable })) };
  }
}
