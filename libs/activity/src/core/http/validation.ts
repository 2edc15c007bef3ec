import {
  applyDecorators,
  type ArgumentMetadata,
  BadRequestException,
  Injectable,
  Optional,
  type PipeTransform,
  type Type,
  type ValidationError,
  ValidationPipe,
  type ValidationPipeOptions,
} from '@nestjs/common';
import type { Fault } from '../errors/errors';
import { ApiProperty, IsOptional, Transform, ValidateBy } from '../peers/decorators';
import { pointsField } from '../points/decimals';
import {
  anything,
  type Entries,
  type EntriesOf,
  flag,
  fromDigits,
  object,
  optional,
  readingOf,
  type Schema,
  value,
  whole,
  word,
} from '../schema/schema';

/** class-transformer and class-validator descend by recursion: deeper bodies than any DTO's are refused before them. */
const maxDepth = 32;

/**
 * Nest's `ValidationPipe` that refuses unknown properties, and names each fault by its path, for the `errors` of a
 * problem document. Apps may use it for their own DTOs; of a body without a DTO it checks only how deep it is nested.
 */
@Injectable()
export class ProblemValidationPipe extends ValidationPipe {
  constructor(@Optional() options: ValidationPipeOptions = {}) {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      stopAtFirstError: true,
      exceptionFactory: (errors: readonly ValidationError[]) =>
        invalidInput(errors.flatMap((error) => faultsOf(error))),
      ...options,
    });
  }

  /** Refuses bodies that are nested too deep, then does what `ValidationPipe` does. */
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type === 'body' && isDeeperThan(value, maxDepth)) {
      throw invalidInput([{ path: 'body', message: `must not be nested more than ${maxDepth} deep` }]);
    }
    return super.transform(value, metadata) as Promise<unknown>;
  }
}

/** Whether objects and arrays hold one another in more than so many levels. */
function isDeeperThan(value: unknown, levels: number): boolean {
  const partsOf = (given: unknown): unknown[] =>
    typeof given === 'object' && given !== null ? Object.values(given) : [];
  let level = [value];
  for (let depth = 0; depth <= levels; depth++) {
    level = level.flatMap(partsOf);
    if (level.length === 0) return false;
  }
  return true;
}

/** A 400 that names each fault. */
export function invalidInput(faults: readonly Fault[]): BadRequestException {
  const detail = faults.map(({ path, message }) => `${path} ${message}`).join('; ');
  return new BadRequestException({ message: detail, errors: faults });
}

function faultsOf({ property, constraints = {}, children = [] }: ValidationError, parent = ''): Fault[] {
  const path = parent + property;
  const own = Object.values(constraints).map((message) => ({ path, message: withoutPath(message, property) }));
  return [...own, ...children.flatMap((child) => faultsOf(child, `${path}.`))];
}

/** class-validator's messages begin with the property, which the path says already. */
function withoutPath(message: string, property: string): string {
  return message.startsWith(`${property} `) ? message.slice(property.length + 1) : message;
}

/** The most queries remembered for each DTO; then they are forgotten all at once. */
const maxRemembered = 1_000;

/** The longest query worth remembering: cursors are not, nobody sends one twice. */
const maxKeyLength = 120;

/**
 * {@link ProblemValidationPipe} for the query strings of hot routes, `@Query(QueryPipe)`: the same few come again and
 * again, and validating one costs more than the rest of a cached answer. What was valid once is given again, frozen.
 */
@Injectable()
export class QueryPipe implements PipeTransform {
  private readonly validation = new ProblemValidationPipe();
  /** By the class itself: a minified bundle gives several the same name. */
  private readonly remembered = new WeakMap<Type, Map<string, unknown>>();

  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    const { metatype } = metadata;
    const key = JSON.stringify(value);
    if (!metatype || key.length > maxKeyLength) return this.validation.transform(value, metadata);
    const remembered = this.remembered.get(metatype) ?? new Map<string, unknown>();
    this.remembered.set(metatype, remembered);
    return (
      remembered.get(key) ??
      this.validation.transform(value, metadata).then((valid) => {
        if (remembered.size >= maxRemembered) remembered.clear();
        remembered.set(key, Object.freeze(valid));
        return valid;
      })
    );
  }
}

/** A field's part of the OpenAPI document. */
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

/** The schemas of the fields that a DTO declares, by its prototype. */
const fieldsOf = new WeakMap<object, Entries>();

/** The schema of a DTO, by the {@link Fits} of its fields, inherited ones included, or by others. */
export function schemaOf<Dto extends object>({ prototype }: Type<Dto>, others: Partial<EntriesOf<Dto>>): Schema<Dto> {
  const entries: object[] = [others];
  for (let at = prototype as object; at; at = Object.getPrototypeOf(at) as object)
    entries.unshift(fieldsOf.get(at) ?? {});
  return object(Object.assign({}, ...entries) as Entries) as Schema<Dto>;
}

/** Refuses what the schema refuses, in its words. */
export function Fits(schema: Schema<unknown>): PropertyDecorator {
  const faultOf = (given: unknown): string | undefined => {
    const reading = readingOf(schema, given, '', 'body');
    return 'faults' in reading ? reading.faults[0]?.message : undefined;
  };
  const validate = (given: unknown): boolean => faultOf(given) === undefined;
  const validator = { validate, defaultMessage: (args?: { readonly value: unknown }) => faultOf(args?.value) ?? '' };
  return (target, name) => {
    fieldsOf.set(target, { ...fieldsOf.get(target), [name]: schema });
    ValidateBy({ name: 'fits', validator })(target, name);
  };
}

/** A field that may be left out, what OpenAPI says of it beside its type and comment, and how its text is read. */
export function LeftOut(
  schema: Schema<unknown>,
  field?: object,
  read?: (given: unknown) => unknown,
): PropertyDecorator {
  return applyDecorators(
    ...(field ? [ApiProperty({ required: false, ...field })] : []),
    ...(read ? [Transform(({ value }: { value: unknown }) => read(value))] : []),
    IsOptional(),
    Fits(optional(schema)),
  );
}

/** An optional whole number in a query, in digits, with an optional minus: `0x10`, `1e2`, `+1`, `1.0` are refused. */
export function WholeNumber({ min, max, ...documented }: WholeNumberOptions): PropertyDecorator {
  return LeftOut(whole(min, max), { type: 'integer', minimum: min, maximum: max, ...documented }, wholeIn);
}

/** Optional points in a query, in digits, with a minus and two decimals or not; which are allowed is not known here. */
export function Points(description: string): PropertyDecorator {
  return LeftOut(anything, { ...pointsField, description }, pointsIn);
}

/** An optional percentile in a query, with two decimals or not. */
export function Percentile(description: string): PropertyDecorator {
  const isOne = (given: unknown): given is number => typeof given === 'number' && given >= 0 && given <= 100;
  const field = { type: Number, minimum: 0, maximum: 100, description };
  return LeftOut(value(isOne, 'a number from 0 to 100'), field, pointsIn);
}

/** An optional flag in a query: `true` or `false`. */
export function Flag(description: string): PropertyDecorator {
  const read = (given: unknown) => (given === 'true' ? true : given === 'false' ? false : given);
  return LeftOut(flag, { type: Boolean, default: false, description }, read);
}

/** An optional text in a query, of 1 to `max` characters. */
export function Text({ max, ...documented }: Documented<string> & { readonly max: number }): PropertyDecorator {
  const isText = (given: unknown): given is string =>
    typeof given === 'string' && given !== '' && given.length <= 2 * max && [...given].length <= max;
  const field = { type: String, minLength: 1, maxLength: max, ...documented };
  return LeftOut(value(isText, `text of 1 to ${max} characters`), field);
}

/** An optional word, one of those allowed. */
export function OneOf<Word extends string>(
  words: readonly Word[],
  documented: Documented<Word> = {},
): PropertyDecorator {
  return LeftOut(word(words), { enum: [...words], ...documented });
}

/** The number of a text of digits with up to two decimals. */
function pointsIn(given: unknown): unknown {
  return typeof given === 'string' && /^-?\d{1,15}\.\d{1,2}$/.test(given) ? Number(given) : wholeIn(given);
}

/** The number of a text of digits, a minus ahead of them or not. */
function wholeIn(given: unknown): unknown {
  return typeof given === 'string' && /^-\d{1,15}$/.test(given) ? Number(given) : fromDigits(given);
}
