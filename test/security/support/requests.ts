import * as fc from 'fast-check';
import type { OpenApi, Parameter, Route, Schema } from './routes';

/** A request to make: its URL and body as they go over the wire. */
export interface GeneratedRequest {
  readonly route: Route;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: string;
}

const hostileTexts = [
  '', ' ', '\0', 'a\0b', '\ud800', 'x\udc00y', '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '{lr}', '{', '}:',
  '\n', '\r\nX: y', '../../etc/passwd', '%', '%00', "' OR 1=1 --", '<script>', '🌸'.repeat(32), '🌸'.repeat(33), 'x'.repeat(128),
  'x'.repeat(129), 'x'.repeat(512), 'x'.repeat(513), 'é'.repeat(1_000), '-1', '0', '1', '100', '101', '1e309', 'NaN', '-0', '0x10',
  '9007199254740991', '9007199254740993', '99999999999999999999', '2147483648', '9223372036854775808', '2026-02-30', '0000-00-00',
  '9999-12-31', '+275760-09-13', '2026-W60', 'current', 'previous', 'all', 'null', 'undefined', 'true', 'bnVsbA', 'W10', 'eyJhIjoxfQ',
] as const; // prettier-ignore
const numbers = [0, -0, 1, -1, 0.5, 1e-320, 1e308, -1e308, 2 ** 31, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 1e21];
const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
const contentTypes = [
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'x',
  '',
];

const hostileText = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: 'binary', maxLength: 40 }));
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(...numbers),
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    [],
    {},
    [null],
    [[]],
    { length: -1 },
    { toString: 1 },
    Array(1_001).fill('x'),
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Requests to the routes of an app, drawn from what it says of itself: valid, nearly valid and hostile. */
export class Requests {
  /** @param known good values for parameters and properties, by name: a draw of them makes most requests meaningful. */
  constructor(
    private readonly api: OpenApi,
    private readonly known: Readonly<Record<string, readonly unknown[]>>,
    private readonly tokens: readonly (string | undefined)[],
  ) {}

  to(route: Route): fc.Arbitrary<GeneratedRequest> {
    const parameters = route.parameters ?? [];
    const schema = Object.values(route.requestBody?.content ?? {})[0]?.schema;
    const sent = route.method === 'POST' || route.method === 'PUT';
    return fc
      .record({
        values: fc.tuple(...parameters.map((parameter) => this.parameter(parameter))),
        more: fc.option(fc.tuple(hostileText, hostileText), { freq: 9 }),
        token: fc.constantFrom(...this.tokens),
        headers: this.headers(),
        body: sent ? this.body(schema) : fc.constant(undefined),
        contentType: fc.oneof(
          { weight: 20, arbitrary: fc.constant('application/json') },
          fc.constantFrom(...contentTypes),
        ),
      })
      .map(({ values, more, token, headers, body, contentType }) => {
        let path = route.path;
        const query: string[] = [];
        parameters.forEach(({ name, in: place }, i) => {
          const value = values[i];
          if (value === undefined || value === null) return;
          if (place === 'path') path = path.replace(`{${name}}`, () => encoded(value));
          else if (place === 'query') query.push(`${name}=${encoded(value)}`);
        });
        if (more) query.push(`${encoded(more[0])}=${encoded(more[1])}`);
        return {
          route,
          url: query.length > 0 ? `${path}?${query.join('&')}` : path,
          headers: {
            ...headers,
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
            ...(body !== undefined && { 'content-type': contentType }),
          },
          ...(body !== undefined && { payload: body }),
        };
      });
  }

  private parameter({ name, in: place, required = false, schema = {} }: Parameter): fc.Arbitrary<string | null> {
    const value = fc.oneof(
      { weight: 4, arbitrary: this.valid(schema, name) },
      { weight: 1, arbitrary: this.atBounds(schema) },
      { weight: 2, arbitrary: hostileText },
    );
    const text = value.map((given) => (typeof given === 'string' ? given : (JSON.stringify(given) ?? '')));
    // An empty segment is another route's path.
    if (place === 'path') return text.filter((part) => part !== '');
    return required ? text : fc.option(text, { freq: 2 });
  }

  private headers(): fc.Arbitrary<Record<string, string>> {
    const names = ['if-none-match', 'last-event-id', 'accept', 'accept-encoding', 'x-forwarded-for', 'origin', 'range'];
    const value = fc.constantFrom(
      '*',
      '"x"',
      'W/"',
      'null',
      '__proto__',
      'x'.repeat(2_000),
      'bytes=0-',
      'application/xml',
    );
    return fc.option(fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 3 }), { freq: 3, nil: {} });
  }

  /** A body as text: JSON that fits or nearly does, JSON of another shape, or what was cut. */
  private body(schema: Schema | undefined): fc.Arbitrary<string> {
    const fitting = schema ? this.valid(schema, 'body') : fc.constant({});
    const near = schema ? this.near(schema) : hostile;
    const cut = fitting.chain((value) => {
      const text = jsonOf(value);
      return fc.nat(text.length).map((length) => text.slice(0, length));
    });
    return fc.oneof(
      { weight: 4, arbitrary: fitting.map(jsonOf) },
      { weight: 6, arbitrary: near.map(jsonOf) },
      { weight: 1, arbitrary: hostile.map(jsonOf) },
      { weight: 1, arbitrary: cut },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          '',
          ' ',
          '{',
          'null',
          '{"__proto__":{"x":1}}',
          '{"constructor":{"prototype":1}}',
          deep,
        ),
      },
    );
  }

  /** A valid value, one property of which is missing, of another kind or past a bound; or with one too many. */
  private near(given: Schema): fc.Arbitrary<unknown> {
    const schema = this.resolved(given);
    const names = Object.keys(schema.properties ?? {});
    if (schema.type === 'array') {
      return fc.oneof(
        fc.array(this.near((schema.items ?? {}) as Schema), { maxLength: 3 }),
        hostile,
        this.atBounds(schema),
      );
    }
    if (names.length === 0) return fc.oneof(hostile, this.atBounds(schema));
    const properties = schema.properties as Record<string, Schema>;
    const change = fc.constantFrom(...names, '__proto__', 'constructor', 'unknown').chain((name) => {
      const value = properties[name]
        ? fc.oneof(hostile, this.atBounds(properties[name]), this.near(properties[name]))
        : hostile;
      return fc.tuple(fc.constant(name), fc.option(value, { nil: undefined }));
    });
    return fc.tuple(this.valid(schema, 'body'), change).map(([value, [name, changed]]) => {
      const entries = Object.entries(value as object).filter(([key]) => key !== name);
      return new Map<string, unknown>([...entries, ...(changed === undefined ? [] : [[name, changed] as const])]);
    });
  }

  private valid(given: Schema, name: string): fc.Arbitrary<unknown> {
    const known = this.known[name];
    if (known) return fc.constantFrom(...known);
    const schema = this.resolved(given);
    if (Array.isArray(schema.enum)) return fc.constantFrom<unknown>(...(schema.enum as unknown[]));
    const [type] = [schema.type].flat();
    if (type === 'integer' || type === 'number') {
      const { minimum = 0, maximum = 1_000 } = schema as { minimum?: number; maximum?: number };
      return fc.integer({ min: Math.ceil(minimum), max: Math.floor(maximum) });
    }
    if (type === 'boolean') return fc.boolean();
    if (type === 'array') {
      const { minItems = 0, items = {} } = schema as { minItems?: number; items?: Schema };
      return fc.array(this.valid(items, name), { minLength: minItems, maxLength: minItems + 3 });
    }
    if (type === 'object' || schema.properties !== undefined) {
      const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
      const required = (schema.required ?? []) as string[];
      const shape = Object.fromEntries(properties.map(([key, property]) => [key, this.valid(property, key)]));
      return fc.record(shape, { requiredKeys: required });
    }
    return fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
  }

  /** At each bound that the schema states, and one past it. */
  private atBounds(given: Schema): fc.Arbitrary<unknown> {
    const schema = this.resolved(given);
    const found: unknown[] = [];
    for (const bound of [schema.minimum, schema.maximum]) {
      if (typeof bound === 'number') found.push(bound - 1, bound, bound + 1, bound + 0.5);
    }
    for (const length of [schema.minLength, schema.maxLength]) {
      if (typeof length === 'number')
        found.push('x'.repeat(Math.max(0, length - 1)), 'x'.repeat(length), 'é'.repeat(length + 1));
    }
    for (const count of [schema.minItems, schema.maxItems]) {
      if (typeof count === 'number') found.push(Array(count).fill('1'), Array(count + 1).fill('1'));
    }
    return found.length > 0 ? fc.constantFrom(...found) : hostile;
  }

  private resolved(schema: Schema): Schema {
    const reference = schema.$ref ?? (schema.allOf as Schema[] | undefined)?.[0]?.$ref;
    if (typeof reference !== 'string') return (schema.oneOf as Schema[] | undefined)?.[0] ?? schema;
    const found = (this.api.components.schemas as Record<string, Schema>)[reference.split('/').at(-1) ?? ''];
    if (!found) throw new Error(`The document has no ${reference}.`);
    return found;
  }
}

/** A Map stands for an object that may have any key, `__proto__` too. */
function jsonOf(value: unknown): string {
  if (value instanceof Map) {
    const entries = [...(value as Map<string, unknown>)];
    return `{${entries.map(([key, part]) => `${JSON.stringify(key)}:${jsonOf(part)}`).join(',')}}`;
  }
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`;
  return JSON.stringify(value) ?? 'null';
}

/** Percent-encoded; half of a surrogate pair as the bytes that some clients send for it. */
function encoded(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80';
}
