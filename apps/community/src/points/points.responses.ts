import { ApiProperty } from '@nestjs/swagger';

/** The points of one action. */
export class PointsOfAction {
  @ApiProperty({ example: 'praise' })
  readonly action: string;

  @ApiProperty({ example: 2 })
  readonly points: number;

  @ApiProperty({ description: 'Whether undoing it takes the points back.' })
  readonly revocable: boolean;
}

/** The points of each action. */
export class PointsList {
  @ApiProperty({ type: [PointsOfAction] })
  readonly actions: readonly PointsOfAction[];
}
