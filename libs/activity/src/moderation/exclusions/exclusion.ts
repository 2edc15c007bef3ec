import { ApiProperty } from '../../core/peers/decorators';
import type { ExclusionReason } from '../../core/extensions/ports';

/** Every {@link ExclusionReason}. */
export const exclusionReasons = ['banned', 'staff', 'optedOut', 'held'] as const satisfies readonly ExclusionReason[];

/**
 * Where an exclusion comes from: an operator, the app's user directory, the review queue, or the user. Each removes
 * only its own.
 */
export const exclusionSources = ['operator', 'directory', 'review', 'user'] as const;
export type ExclusionSource = (typeof exclusionSources)[number];

/** Why a user is excluded from the leaderboards; a user may have one exclusion of each source. */
export class Exclusion {
  @ApiProperty({ example: '42' })
  readonly userId: string;

  @ApiProperty({ enum: exclusionReasons })
  readonly reason: ExclusionReason;

  @ApiProperty({ enum: exclusionSources, description: 'Each source removes only its own exclusions.' })
  readonly source: ExclusionSource;

  @ApiProperty({ format: 'date-time' })
  readonly since: string;

  @ApiProperty({ type: String, nullable: true, description: 'Which operator.', example: 'ada' })
  readonly by: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly note: string | null;
}

/** Whether a user is excluded from the leaderboards, and why. */
export class ExclusionState {
  @ApiProperty({ example: '42' })
  readonly userId: string;

  @ApiProperty()
  readonly excluded: boolean;

  @ApiProperty({ type: [Exclusion], description: 'Of each source that excludes the user.' })
  readonly exclusions: readonly Exclusion[];
}

/** A page of exclusions. */
export class ExclusionList {
  @ApiProperty({ type: [Exclusion] })
  readonly exclusions: readonly Exclusion[];

  @ApiProperty({ type: String, nullable: true, description: 'The `cursor` of the next page; null: this is the last.' })
  readonly next: string | null;
}
