import { BadRequestException } from '@nestjs/common';
import { Day } from './day-field';
import { Flag, OneOf, QueryPipe, Text, WholeNumber } from '../core/http/validation';

class Query {
  @WholeNumber({ min: 1, max: 100 })
  readonly limit?: number;

  @Flag('Whether entries come with titles.')
  readonly titles?: boolean;

  @Day('The first day.')
  readonly from?: string;

  @Text({ max: 4, description: 'A name.' })
  readonly name?: string;

  @OneOf(['asc', 'desc'])
  readonly order?: 'asc' | 'desc';
}

const read = async (query: Readonly<Record<string, unknown>>): Promise<unknown> =>
  new QueryPipe().transform(query, { type: 'query', metatype: Query });

/** What is refused of a query, by path. */
async function refused(query: Readonly<Record<string, unknown>>): Promise<unknown> {
  const error: unknown = await read(query).catch((thrown: unknown) => thrown);
  if (!(error instanceof BadRequestException)) throw new Error(`${JSON.stringify(query)} was taken.`);
  return (error.getResponse() as { readonly errors: unknown }).errors;
}

it.each([
  {
    ...{ path: 'limit', message: 'must be a whole number from 1 to 100', taken: { '1': 1, '007': 7, '100': 100 } },
    others: [
      ...['', ' 7', '0x10', '0b1', '1e2', '1.0', '+1', '-1', '0', '101', '1,0', '٧', 'Infinity', 'NaN', 'true'],
      ...['1'.repeat(16), ['1'], ['1', '2'], { a: '1' }],
    ],
  },
  {
    ...{ path: 'titles', message: 'must be true or false', taken: { true: true, false: false } },
    others: ['', '1', '0', 'yes', 'TRUE', 'true ', ['true'], { a: 'true' }],
  },
  {
    ...{ path: 'from', message: 'must be a day such as 2026-11-20', taken: { '2028-02-29': '2028-02-29' } },
    others: [
      ...['', 'today', '20261120', '2026-11', '2026-1-2', '2026-02-30', '2026-13-01', '2026-11-20T00:00:00Z'],
      ['2026-11-20'],
    ],
  },
  {
    ...{ path: 'name', message: 'must be text of 1 to 4 characters', taken: { a: 'a', '🎖🎖🎖🎖': '🎖🎖🎖🎖' } },
    others: ['', 'abcde', ['a'], { a: 'b' }],
  },
  {
    ...{ path: 'order', message: 'must be one of asc, desc', taken: { asc: 'asc', desc: 'desc' } },
    others: ['', 'up', 'ASC', ['asc']],
  },
])('a query takes $taken as $path, or none, not $others', async ({ path, message, taken, others }) => {
  expect(await read({})).toEqual({});
  for (const [given, value] of Object.entries(taken)) {
    expect(await read({ [path]: given })).toEqual({ [path]: value });
  }
  for (const other of others) expect([other, await refused({ [path]: other })]).toEqual([other, [{ path, message }]]);
});
