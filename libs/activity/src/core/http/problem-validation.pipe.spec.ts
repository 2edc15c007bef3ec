import { BadRequestException } from '@nestjs/common';
import { ProblemValidationPipe } from './problem-validation.pipe';

describe('ProblemValidationPipe', () => {
  const pipe = new ProblemValidationPipe();
  const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
  const take = (body: unknown) => pipe.transform(body, { type: 'body', metatype: Object });

  it('refuses a body that is nested deeper than anything that is taken, before it descends into it', async () => {
    await expect(take(nested(20_000))).rejects.toThrow(BadRequestException);
    await expect(take({ a: nested(33) })).rejects.toThrow('body must not be nested more than 32 deep');
    await expect(take(nested(32))).resolves.toEqual(nested(32));
  });
});
