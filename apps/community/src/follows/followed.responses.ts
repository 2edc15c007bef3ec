import { ApiProperty } from '@nestjs/swagger';

/** The users that a user follows. */
export class Followed {
  @ApiProperty({ type: [String], description: 'The latest first.', example: ['42'] })
  readonly userIds: readonly string[];
}
