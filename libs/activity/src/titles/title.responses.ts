import { ApiProperty } from '@nestjs/swagger';

/** What a user is called for what he did. */
export class RankTitle {
  @ApiProperty({ description: 'By which it is translated.', example: 'most-praised' })
  readonly id: string;

  @ApiProperty({ example: 'Most praised' })
  readonly name: string;
}
