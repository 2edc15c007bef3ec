import { ApiProperty } from '@nestjs/swagger';

/** The titles of articles and the names of users. */
export class Names {
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'By subject. What is not there, or not online, is left out.',
    example: { 'article:7': 'On sorted sets', 'user:42': 'Ada Lovelace' },
  })
  readonly names: Readonly<Record<string, string>>;
}
