import { BadRequestException } from '@nestjs/common';
import { Day } from './day-field';
import { Flag, OneOf, Text, WholeNumber } from '../http/query-fields';
import { QueryPipe } from '../http/query.pipe';

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

describe('fields of queries', () => {
  it('may all be left out', async () => {
    expect(await read({})).toEqual({});
  });

  it.each(['1', '7', '007', '100'])('take the whole number %s', async (limit) => {
    expect(await read({ limit })).toEqual({ limit: Number(limit) });
  });

  it.each([
    '',
    ' 7',
    '0x10',
    '0b1',
    '1e2',
    '1.0',
    '+1',
    '-1',
    '0',
    '101',
    '1,0',
    '٧',
    'Infinity',
    'NaN',
    'true',
    '1'.repeat(16),
    ['1'],
    ['1', '2'],
    { a: '1' },
  ])('refuse %j where a whole number is asked', async (limit) => {
    expect(await refused({ limit })).toEqual([{ path: 'limit', message: 'must be a whole number from 1 to 100' }]);
  });

  it.each(['true', 'false'])('take the flag %s', async (titles) => {
    expect(await read({ titles })).toEqual({ titles: titles === 'true' });
  });

  it.each(['', '1', '0', 'yes', 'TRUE', 'true ', ['true'], { a: 'true' }])(
    'refuse %j where a flag is asked',
    async (titles) => {
      expect(await refused({ titles })).toEqual([{ path: 'titles', message: 'must be true or false' }]);
    },
  );

  it.each(['2026-11-20', '2028-02-29'])('take the day %s', async (from) => {
    expect(await read({ from })).toEqual({ from });
  });

  it.each([
    '',
    'today',
    '20261120',
    '2026-11',
    '2026-1-2',
    '2026-02-30',
    '2026-13-01',
    '2026-11-20T00:00:00Z',
    ['2026-11-20'],
  ])('refuse %j where a day is asked', async (from) => {
    expect(await refused({ from })).toEqual([{ path: 'from', message: 'must be a day such as 2026-11-20' }]);
  });

  it.each(['a', 'abcd', '🎖🎖🎖🎖'])('take the text %s', async (name) => {
    expect(await read({ name })).toEqual({ name });
  });

  it.each(['', 'abcde', ['a'], { a: 'b' }])('refuse %j where a short text is asked', async (name) => {
    expect(await refused({ name })).toEqual([{ path: 'name', message: 'must be text of 1 to 4 characters' }]);
  });

  it.each(['', 'up', 'ASC', ['asc']])('refuse %j where one of two words is asked', async (order) => {
    expect(await refused({ order })).toEqual([{ path: 'order', message: 'must be one of asc, desc' }]);
  });
});
