import { IsOptional, IsString } from 'class-validator';
import { QueryPipe } from './query.pipe';

describe('QueryPipe', () => {
  it('tells classes of one name apart, as a minified bundle has them', async () => {
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
});
