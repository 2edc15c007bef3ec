import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsString, Length, Matches } from 'class-validator';

/**
 * A text that people read: trimmed, from 1 to `max` characters, something visible in it, and no control characters but
 * line breaks and tabs (PostgreSQL takes no NUL, and half a surrogate pair has no UTF-8).
 */
export function VisibleText(max: number): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value)),
    Matches(/^(?=[^]*[\p{L}\p{N}\p{P}\p{S}])[^\p{Cs}\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/u, {
      message: '$property must be text that can be seen, without control characters',
    }),
    Length(1, max),
    IsString(),
  );
}
