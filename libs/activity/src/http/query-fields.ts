import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';

/** What a whole number of a query may be, and how it is documented. */
interface WholeNumberOptions {
  readonly min: number;
  readonly max: number;
  readonly default?: number;
  readonly description?: string;
}

/** An optional whole number in a query, in digits: anything else is refused with the range that is allowed. */
export function WholeNumber({ min, max, ...documented }: WholeNumberOptions): PropertyDecorator {
  const message = `must be a whole number from ${min} to ${max}`;
  return applyDecorators(
    ApiPropertyOptional({ type: 'integer', minimum: min, maximum: max, ...documented }),
    IsOptional(),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value,
    ),
    IsInt({ message }),
    Min(min, { message }),
    Max(max, { message }),
  );
}

/** An optional flag in a query: `true` or `false`. */
export function Flag(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: Boolean, default: false, description }),
    IsOptional(),
    Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value)),
    IsBoolean({ message: 'must be true or false' }),
  );
}

/** An optional day in a query: `2026-11-20`. */
export function Day(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ format: 'date', description }),
    IsOptional(),
    Matches(/^\d{4}-\d{2}-\d{2}$/, { message: 'must be a day such as 2026-11-20' }),
  );
}
