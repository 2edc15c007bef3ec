import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, IsOptional, Length, Transform, ValidateBy } from '../peers/decorators';
import { pointsField } from '../points/points-field';
import { flag, fromDigits, readingOf, type Schema, whole, word } from '../schema/schema';

/** What the OpenAPI document says of a field. */
interface Documented<Value> {
  readonly default?: Value;
  readonly description?: string;
  readonly example?: Value;
}

/** Which whole numbers a field takes, both ends included. */
interface WholeNumberOptions extends Documented<number> {
  readonly min: number;
  readonly max: number;
}

/** Refuses what the schema refuses, in its words. */
export function Fits(schema: Schema<unknown>): PropertyDecorator {
  const faultOf = (given: unknown): string | undefined => {
    const reading = readingOf(schema, given, '', 'body');
    return 'faults' in reading ? reading.faults[0]?.message : undefined;
  };
  return ValidateBy({
    name: 'fits',
    validator: {
      validate: (given: unknown) => faultOf(given) === undefined,
      defaultMessage: (args) => faultOf(args?.value) ?? '',
    },
  });
}

/** An optional whole number in a query, in digits, with an optional minus: `0x10`, `1e2`, `+1`, `1.0` are refused. */
export function WholeNumber({ min, max, ...documented }: WholeNumberOptions): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: 'integer', minimum: min, maximum: max, ...documented }),
    IsOptional(),
    Transform(({ value }: { value: unknown }) => wholeIn(value)),
    Fits(whole(min, max)),
  );
}

/** Optional points in a query, in digits, with a minus and two decimals or not; which are allowed is not known here. */
export function Points(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ ...pointsField, description }),
    IsOptional(),
    Transform(({ value }: { value: unknown }) => pointsIn(value)),
  );
}

/** An optional flag in a query: `true` or `false`. */
export function Flag(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: Boolean, default: false, description }),
    IsOptional(),
    Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value)),
    Fits(flag),
  );
}

/** An optional text in a query, of 1 to `max` characters. */
export function Text({ max, ...documented }: Documented<string> & { readonly max: number }): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: String, minLength: 1, maxLength: max, ...documented }),
    IsOptional(),
    Length(1, max, { message: `must be text of 1 to ${max} characters` }),
  );
}

/** An optional word, one of those allowed. */
export function OneOf<Word extends string>(
  words: readonly Word[],
  documented: Documented<Word> = {},
): PropertyDecorator {
  return applyDecorators(ApiPropertyOptional({ enum: [...words], ...documented }), IsOptional(), Fits(word(words)));
}

/** The number of a text of digits with up to two decimals. */
function pointsIn(given: unknown): unknown {
  return typeof given === 'string' && /^-?\d{1,15}\.\d{1,2}$/.test(given) ? Number(given) : wholeIn(given);
}

/** The number of a text of digits, a minus ahead of them or not. */
function wholeIn(given: unknown): unknown {
  return typeof given === 'string' && /^-\d{1,15}$/.test(given) ? Number(given) : fromDigits(given);
}
