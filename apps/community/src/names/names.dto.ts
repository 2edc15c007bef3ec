import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsString } from 'class-validator';

/** The most subjects that are named at once. */
const most = 200;

/** The subjects to name. */
export class NamesWanted {
  @ApiProperty({ type: [String], minItems: 1, maxItems: most, example: ['article:7', 'user:42'] })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(most)
  @IsString({ each: true })
  readonly subjects: readonly string[];
}
