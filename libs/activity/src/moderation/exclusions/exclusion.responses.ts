import { ApiProperty } from '@nestjs/swagger';
import { exclusionReasons, type ExclusionReason } from '../../extensions/moderation';
import { exclusionSources, type Exclusion, type ExclusionSource } from './exclusion';

/** Why a user is kept off the leaderboards. */
export class ExclusionAnswer implements Exclusion {
  @ApiProperty({ example: '42' })
  readonly userId: string;

  @ApiProperty({ enum: exclusionReasons })
  readonly reason: ExclusionReason;

  @ApiProperty({ enum: exclusionSources, description: 'Who says so: each takes back only what it said.' })
  readonly source: ExclusionSource;

  @ApiProperty({ format: 'date-time' })
  readonly since: string;

  @ApiProperty({ type: String, nullable: true, example: 'ada' })
  readonly by: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly note: string | null;
}

/** Whether a user is kept off the leaderboards. */
export class ExclusionStateAnswer {
  @ApiProperty({ example: '42' })
  readonly userId: string;

  @ApiProperty()
  readonly excluded: boolean;

  @ApiProperty({ type: [ExclusionAnswer], description: 'Every reason that stands.' })
  readonly exclusions: readonly ExclusionAnswer[];
}

/** A page of those who are kept off the leaderboards. */
export class ExclusionList {
  @ApiProperty({ type: [ExclusionAnswer] })
  readonly exclusions: readonly ExclusionAnswer[];

  @ApiProperty({ type: String, nullable: true, description: 'The cursor of what follows; null at the end.' })
  readonly next: string | null;
}
