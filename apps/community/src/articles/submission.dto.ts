import { ApiProperty } from '@nestjs/swagger';
import { VisibleText } from '../input/visible-text';

/** Why an article is refused. */
export class Refusal {
  @ApiProperty({ minLength: 1, maxLength: 1_000, description: 'Its author reads it.', example: 'Name your sources.' })
  @VisibleText({ max: 1_000, isMultiline: true })
  readonly reason: string;
}
