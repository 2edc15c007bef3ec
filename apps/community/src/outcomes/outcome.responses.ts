import { type Outcome } from '@laurel/activity';
import { ActivityRefusal, outcomeNames } from '@laurel/activity/http';
import { ApiProperty } from '@nestjs/swagger';

/** The outcome of a click. */
export class ClickOutcome {
  @ApiProperty({ example: 'praise' })
  readonly action: string;

  @ApiProperty({ enum: outcomeNames, description: '`duplicate`: it had been done, or undone, before.' })
  readonly outcome: Outcome['outcome'];

  @ApiProperty({ description: 'By how much your points changed.', example: 2 })
  readonly points: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why, where the outcome alone does not say: `ownSubject`, `held`, or the name of a limit.',
    example: null,
  })
  readonly reason: string | null;

  @ApiProperty({ type: ActivityRefusal, nullable: true, description: 'Of `limited`: by which limit, and until when.' })
  readonly refusal: ActivityRefusal | null;

  @ApiProperty({ description: 'Whether you are excluded, so that your points show on no leaderboard.', example: false })
  readonly excluded: boolean;
}

/** The answer of a route that has no other, where the outcome is asked for. */
export class OutcomeAnswer {
  @ApiProperty({
    type: ClickOutcome,
    nullable: true,
    description: 'Null: it was not recorded within a second, as while Redis is away. It will be.',
  })
  readonly outcome: ClickOutcome | null;
}
