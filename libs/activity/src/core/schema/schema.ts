import { ActivityError, type Fault } from '../errors/errors';
import { shown } from '../errors/option-error';

// The one dialect in which options, variables, rules, limits and adjustments are described: a schema says what a value
// may be, which words refuse it, and what it is read as.

/** The result of a schema instead of a value; the `Place` collects the faults. */
export const refused: unique symbol = Symbol('refused');
export type Refused = typeof refused;

/** Reads whatever is given, JSON or an option, as an `Output`. */
export type Schema<Output> = (given: unknown, place: Place) => Output | Refused;

/** The type that a {@link Schema} reads. */
export type OutputOf<Of extends Schema<unknown>> = Of extends Schema<infer Output> ? Exclude<Output, Refused> : never;

/** A schema for each property of an interface: none is forgotten, none is made up. */
export type EntriesOf<Shape> = { readonly [Name in keyof Shape]-?: Schema<Shape[Name]> };

/** The path of a value in the input, and the list of its faults. */
export class Place {
  constructor(
    private readonly path: string,
    private readonly faults: Fault[],
    /** How faults speak: of an option, `shards is 0: use …`, or of a request's body, `points must be …`. */
    readonly manner: 'option' | 'body' = 'option',
  ) {}

  /** The place of a property of this object. */
  property(name: string): Place {
    return new Place(this.path === '' ? name : `${this.path}.${name}`, this.faults, this.manner);
  }

  /** The place of an item of this list; without an index: any item. */
  item(index: number | '' = ''): Place {
    return new Place(`${this.path}[${index}]`, this.faults, this.manner);
  }

  /** The place of a part of this text: `day of LAUREL_RETENTION`. */
  part(name: string): Place {
    return new Place(`${name} of ${this.path}`, this.faults, this.manner);
  }

  /** A fault in words of its own. */
  fault(message: string): Refused {
    this.faults.push({ path: this.path === '' && this.manner === 'body' ? 'body' : this.path, message });
    return refused;
  }

  /** A fault that shows the value and says what to do. */
  refuse(value: unknown, advice: string): Refused {
    return this.fault(`is ${shown(value)}: ${advice}.`);
  }

  /** A word in a message: of a request, as the client writes it. */
  quoted(word: string): string {
    return this.manner === 'body' ? word : `"${word}"`;
  }

  /** A fault that says what the value has to be. */
  expect(value: unknown, allowed: string): Refused {
    return this.manner === 'body' ? this.fault(`must be ${allowed}`) : this.refuse(value, `use ${allowed}`);
  }
}

/** A value of one kind, in words such as `a whole number from 1 to 9`. */
export function value<Value>(isAllowed: (given: unknown) => given is Value, allowed: string): Schema<Value> {
  return (given, place) => (isAllowed(given) ? given : place.expect(given, allowed));
}

/** Any value. */
export const anything: Schema<unknown> = (given) => given;

/** A whole number, both ends included. */
export function whole(min: number, max = Infinity): Schema<number> {
  const isWhole = (given: unknown): given is number =>
    typeof given === 'number' && Number.isSafeInteger(given) && given >= min && given <= max;
  return value(isWhole, `a whole number from ${min}${max === Infinity ? '' : ` to ${max}`}`);
}

/** The number of a text that is digits alone; anything else as it was given. */
export function fromDigits(given: unknown): unknown {
  return typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : given;
}

/** Any lateness or retention in milliseconds, up to a thousand years: importing history needs many. */
export const longestMs = 1_000 * 366 * 86_400_000;
/** A number of milliseconds up to {@link longestMs}. */
export const duration = whole(0, longestMs);

/** True or false. */
export const flag = value((given): given is boolean => typeof given === 'boolean', 'true or false');

/** A day of the calendar. */
export const day: Schema<string> = (given, place) =>
  isDay(given) ? given : place.expect(given, `a day such as ${place.quoted('2026-11-20')}`);

/** One of the words allowed. */
export function word<const Word extends string>(words: readonly Word[]): Schema<Word> {
  return (given, place) => {
    if (words.includes(given as Word)) return given as Word;
    return place.expect(given, `one of ${words.map((one) => place.quoted(one)).join(', ')}`);
  };
}

/** A text that matches. */
export function text(pattern: RegExp, allowed: string): Schema<string> {
  return value((given): given is string => typeof given === 'string' && pattern.test(given), allowed);
}

/** Any object with this method. */
export function withMethod<Value>(method: keyof Value & string, allowed: string): Schema<Value> {
  return value((given): given is Value => hasMethod(given, method), allowed);
}

/** A value that is not shown when it is refused: a secret, or one that may hold a secret. */
export function secret(isAllowed: (given: string) => boolean, why: string, allowed: string): Schema<string> {
  return (given, place) =>
    typeof given === 'string' && isAllowed(given)
      ? given
      : place.fault(`has a bad value (not shown: ${why}): use ${allowed}.`);
}

/** An optional value: if left out, it is read as the default, if there is one. */
export function optional<Output>(schema: Schema<Output>): Schema<Output | undefined>;
export function optional<Output>(schema: Schema<Output>, byDefault: unknown): Schema<Output>;
export function optional(schema: Schema<unknown>, byDefault?: unknown): Schema<unknown> {
  return (given = byDefault, place) => (given === undefined ? undefined : schema(given, place));
}

/** A value that may be null. */
export function nullable<Output>(schema: Schema<Output>): Schema<Output | null> {
  return (given, place) => (given === null ? null : schema(given, place));
}

/** Converts a value once it is read; `make` may refuse it by several of its properties together. */
export function made<Given, Output>(
  schema: Schema<Given>,
  make: (read: Given, place: Place) => Output | Refused,
): Schema<Output> {
  return (given, place) => {
    const read = schema(given, place);
    return read === refused ? refused : make(read, place);
  };
}

/** The demands on a list as a whole. */
interface ListWords {
  readonly min?: number;
  readonly max?: number;
  /** The advice if there are fewer or more. Default: `configure 1 to 9`. */
  readonly advice?: string;
  /** The advice if two items are the same text, or have it as this property; `taken` texts are others'. */
  readonly unique?: readonly {
    readonly property?: string;
    readonly taken?: readonly string[];
    readonly advice: string;
  }[];
}

/** A frozen list of such items. */
export function list<Item>(item: Schema<Item>, words: ListWords = {}): Schema<readonly Item[]> {
  const { min = 0, max = Infinity, advice = `configure ${min} to ${max}`, unique = [] } = words;
  return (given, place) => {
    if (!Array.isArray(given)) return place.refuse(given, 'use a list');
    if (given.length < min || given.length > max) return place.fault(`has ${given.length} items: ${advice}.`);
    const items: unknown[] = given.map((one: unknown, index) => item(one, place.item(index)));
    for (const { property, taken = [], advice: remedy } of unique) {
      const nameOf = (one: unknown) => (property === undefined ? one : isObject(one) ? one[property] : undefined);
      const names = [...taken, ...items.map(nameOf)];
      const twice = names.find((name, index) => typeof name === 'string' && names.indexOf(name) !== index);
      if (twice === undefined) continue;
      const at = property === undefined ? place : place.item().property(property);
      return at.refuse(twice, `it is given twice; ${remedy}`);
    }
    return items.includes(refused) ? refused : Object.freeze(items as Item[]);
  };
}

/** A schema for each property of an object. */
export type Entries = Readonly<Record<string, Schema<unknown>>>;
type OptionalIn<Of extends Entries> = {
  [Name in keyof Of]: undefined extends OutputOf<Of[Name]> ? Name : never;
}[keyof Of];

/** The value of an {@link object}: without the properties that are left out and have no default. */
export type ObjectOf<Of extends Entries> = {
  readonly [Name in Exclude<keyof Of, OptionalIn<Of>>]: OutputOf<Of[Name]>;
} & { readonly [Name in OptionalIn<Of>]?: Exclude<OutputOf<Of[Name]>, undefined> };

/** How an object is refused. */
interface ObjectWords {
  /** Its name in messages. Default: `an object with from, to`. */
  readonly allowed?: string;
  /** The fault of an unknown property, before the list of known ones. Default: `is unknown: there are`. */
  readonly unknown?: (value: unknown) => string;
}

/** A frozen object that has these properties and no others: a misspelt one would be passed over in silence. */
export function object<const Of extends Entries>(entries: Of, words: ObjectWords = {}): Schema<ObjectOf<Of>> {
  const names = Object.keys(entries).join(', ');
  const { allowed = `an object with ${names}`, unknown: told = () => 'is unknown: there are' } = words;
  return (given, place) => {
    if (!isObject(given)) return place.expect(given, allowed);
    const unknown = Object.keys(given).filter((name) => !Object.hasOwn(entries, name));
    // First: a misspelt name is why another seems to be missing. A body may have any number of them, of any length.
    for (const name of unknown.slice(0, 10)) {
      const at = place.property(name.slice(0, 40));
      at.fault(place.manner === 'body' ? 'is not a known property' : `${told(given[name])} ${names}.`);
    }
    const read = Object.entries(entries).map(
      ([name, schema]) => [name, schema(given[name], place.property(name))] as const,
    );
    if (unknown.length > 0 || read.some(([, one]) => one === refused)) return refused;
    return Object.freeze(Object.fromEntries(read.filter(([, one]) => one !== undefined))) as ObjectOf<Of>;
  };
}

/** The value as read, or its faults. */
export type Reading<Output> = { readonly output: Output } | { readonly faults: readonly Fault[] };

/** Reads a value without throwing; `path` is what it is called in its faults. */
export function readingOf<Output>(
  schema: Schema<Output>,
  given: unknown,
  path = '',
  manner: Place['manner'] = 'option',
): Reading<Output> {
  const faults: Fault[] = [];
  const output = schema(given, new Place(path, faults, manner));
  return output === refused ? { faults } : { output };
}

/**
 * Reads an option.
 * @throws ActivityError `invalidOption`, naming what is wrong, its value and what is allowed.
 */
export function read<Output>(schema: Schema<Output>, given: unknown, option = ''): Output {
  const reading = readingOf(schema, given, option);
  if ('output' in reading) return reading.output;
  const lines = reading.faults.map(({ path, message }) => `${path} ${message}`);
  throw new ActivityError('invalidOption', lines.join(' '), reading);
}

/** A 30th of February, which `Date` would take for the 2nd of March, is no day. */
export function isDay(given: unknown): given is string {
  if (typeof given !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(given)) return false;
  const atMs = Date.parse(given);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(given);
}

/** Whether it has properties: no list, no null. */
export function isObject(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

/** Whether it is an object, or a class, with this method. */
export function hasMethod(given: unknown, method: string): boolean {
  const isAny = (typeof given === 'object' && given !== null) || typeof given === 'function';
  return isAny && typeof Reflect.get(given, method) === 'function';
}
