import { BadRequestException } from '@nestjs/common';
import { IsOptional, IsString } from 'class-validator';
import { ProblemValidationPipe, QueryPipe } from './validation';

const pipe = new ProblemValidationPipe();
const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
const take = (body: unknown) => pipe.transform(body, { type: 'body', metatype: Object });

it('ProblemValidationPipe refuses a body that is nested deeper than anything that is taken, before it descends into it', async () => {
  await expect(take(nested(20_000))).rejects.toThrow(BadRequestException);
  await expect(take({ a: nested(33) })).rejects.toThrow('body must not be nested more than 32 deep');
  await expect(take(nested(32))).resolves.toEqual(nested(32));
});

it('QueryPipe tells classes of one name apart, as a minified bundle has them', async () => {
  class First {
    @IsOptional()
    @IsString()
    readonly a?: string;
  }
  class Second {
    @IsOptional()
    @IsString()
    readonly a?: string;
  }
  for (const one of [First, Second]) Object.defineProperty(one, 'name', { value: 'a' });
  const pipe = new QueryPipe();
  const valid = (metatype: typeof First) => pipe.transform({ a: 'x' }, { type: 'query', metatype });
  expect(await valid(First)).toBeInstanceOf(First);
  expect(await valid(Second)).toBeInstanceOf(Second);
  expect(await valid(First)).toBe(await valid(First));
});
