import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';

/** The bounds of a text. */
export interface VisibleTextOptions {
  /** How long, in characters. */
  readonly max: number;
  /** Whether it may have line breaks and tabs. Default: it may not. */
  readonly isMultiline?: boolean;
  /** Its normal form, which is checked. Default: it is trimmed. */
  readonly tidy?: (text: string) => string;
  readonly description?: string;
  readonly example: string;
}

/** Something to see, and nothing that PostgreSQL (NUL) or UTF-8 (half a surrogate pair) has no place for. */
const oneLine = /^(?=[^]*[\p{L}\p{N}\p{P}\p{S}])[^\p{Cc}\p{Cs}]*$/u;
const manyLines = /^(?=[^]*[\p{L}\p{N}\p{P}\p{S}])(?:[^\p{Cc}\p{Cs}]|[\t\n\r])*$/u;

/** A text that people read: tidied, with 1 to `max` characters, something visible in it and no control characters. */
export function VisibleText({ max, isMultiline, tidy, ...documented }: VisibleTextOptions): PropertyDecorator {
  const pattern = isMultiline ? manyLines : oneLine;
  const tidied = tidy ?? ((text: string) => text.trim());
  return applyDecorators(
    ApiProperty({ minLength: 1, maxLength: max, ...documented }),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? tidied(value) : value)),
    ValidateBy({
      name: 'visibleText',
      validator: {
        validate: (value: unknown) =>
          typeof value === 'string' && value.length <= max * 2 && [...value].length <= max && pattern.test(value),
        defaultMessage: () =>
          `$property must be text of 1 to ${max} characters, something visible among them and no control characters`,
      },
    }),
  );
}
