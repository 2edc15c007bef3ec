import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { registerDecorator } from 'class-validator';

/** How long a text may be, in characters, and whether it may have line breaks and tabs (it may not). */
export interface VisibleTextOptions {
  readonly max: number;
  readonly isMultiline?: boolean;
}

/** Something to see, and nothing that PostgreSQL (NUL) or UTF-8 (half a surrogate pair) has no place for. */
const oneLine = /^(?=[^]*[\p{L}\p{N}\p{P}\p{S}])[^\p{Cc}\p{Cs}]*$/u;
const manyLines = /^(?=[^]*[\p{L}\p{N}\p{P}\p{S}])(?:[^\p{Cc}\p{Cs}]|[\t\n\r])*$/u;

/** A text that people read: trimmed, with 1 to `max` characters, something visible in it and no control characters. */
export function VisibleText({ max, isMultiline = false }: VisibleTextOptions): PropertyDecorator {
  const pattern = isMultiline ? manyLines : oneLine;
  const allowed = `text of 1 to ${max} characters, something visible among them and no control characters`;
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value)),
    (target: object, property: string | symbol) =>
      registerDecorator({
        name: 'visibleText',
        target: target.constructor,
        propertyName: String(property),
        validator: {
          validate: (value: unknown) =>
            typeof value === 'string' && value.length <= max * 2 && [...value].length <= max && pattern.test(value),
          defaultMessage: () => `$property must be ${allowed}`,
        },
      }),
  );
}
