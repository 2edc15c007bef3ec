import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsOptional } from 'class-validator';

/** How rules are put in force. */
export class PutRulesQuery {
  @ApiPropertyOptional({
    type: Boolean,
    default: false,
    description: 'Whether to check only, and tell what would change.',
  })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value))
  @IsBoolean({ message: 'must be true or false' })
  readonly dryRun?: boolean;
}
