import type { Score } from '../order/entry';
import { ExactSum } from './exact-sum';
import type { BoardLayout } from '../layouts/layout';
import type { BoardShards } from './board-shards';
import { pagesOf } from './shard-pages';

const linesAPage = 1_000;

/** The exact sum of a board's scores, of each dimension its own. One round trip for each 1,000 lines of a shard. */
export async function sumOfScores<S extends Score>(shards: BoardShards, layout: BoardLayout<S>): Promise<S> {
  const sums = Array.from({ length: Math.max(1, layout.dimensions) }, () => new ExactSum());
  for (let shard = 0; shard < shards.count; shard++) {
    for await (const lines of pagesOf(shards, shard, layout.order, linesAPage)) {
      for (const line of lines) {
        const score: Score = layout.read(line).score;
        if (typeof score === 'number') sums[0]?.add(score);
        else score.forEach((number, d) => sums[d]?.add(number));
      }
    }
  }
  const values = sums.map(({ value }) => value);
  return (layout.dimensions > 0 ? values : values[0]) as S;
}
