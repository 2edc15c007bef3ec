import type { RedisClient } from '../../redis/run';
import { served } from '../../redis/served';

/** Which names, and how many of them one command reads. */
export interface NamesOptions {
  /** Those behind this one. Default: from the first on. */
  readonly after?: string | undefined;
  /** Default 1,000. */
  readonly pageSize?: number | undefined;
}

/** The members of a sorted set whose scores are all 0, in their order as bytes, in pages. */
export async function* membersByName(
  redis: RedisClient,
  key: string,
  { after, pageSize = 1_000 }: NamesOptions = {},
): AsyncGenerator<string> {
  let from = after === undefined ? '-' : `(${after}`;
  for (;;) {
    const start = from;
    const page = await served(redis, key, () => redis.zrange(key, start, '+', 'BYLEX', 'LIMIT', 0, pageSize));
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    from = `(${last}`;
  }
}

/** Several lists in the order of their bytes as one, each name once. */
export async function* mergedByName(lists: readonly AsyncGenerator<string>[]): AsyncGenerator<string> {
  const heads = await Promise.all(lists.map((list) => list.next()));
  for (;;) {
    const names = heads.flatMap(({ done, value }) => (done ? [] : [value]));
    const [first] = names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    if (first === undefined) return;
    yield first;
    await Promise.all(
      heads.map(async ({ done, value }, i) => {
        const list = lists[i];
        if (!done && value === first && list) heads[i] = await list.next();
      }),
    );
  }
}
