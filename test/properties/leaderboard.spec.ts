import { Leaderboard, type Score } from '@laurel/leaderboard';
import fc from 'fast-check';
import { LeaderboardModel, type ModelLayout } from '../support/leaderboard-model';
import {
  compareEntries,
  compareReads,
  crowdOf,
  dimensionsOf,
  layouts,
  operationsOn,
  perform,
  start,
} from '../support/leaderboard-operations';
import { freshPrefix, ManualClock } from '../support';
import { sampled } from '../support/sampled';
import { seed } from '../support/seed';
import { redisOfProperty } from './histories';

/** So many sequences on each of three layouts, in lines side by side: while one waits, another is judged. */
const sequences = sampled({ sample: 40, deep: 350, full: 2_500 });
const lines = 8;

const operation = operationsOn(['a', 'b', 'c', 'd', 'e', 'f', '\uFFFD', '\u{1F3C6}', '{x}:y\n', ' ']);
const board = fc.record({
  order: fc.constantFrom('desc', 'asc'),
  shards: fc.integer({ min: 1, max: 8 }),
  firstRank: fc.constantFrom(0, 1),
  limit: fc.constantFrom(undefined, undefined, 1, 3),
  update: fc.constantFrom('set', 'increment', 'best'),
  // One board in eighty has a crowd to begin with.
  crowd: fc.oneof(
    { weight: 79, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 200, max: 260 }) },
  ),
});

const own = redisOfProperty();

it.each(Object.keys(layouts) as ModelLayout[])(
  'a leaderboard (%s) stands as the model does, entry for entry, after each of any operations',
  async (layout) => {
    const property = fc.asyncProperty(
      board,
      fc.array(operation, { minLength: 1, maxLength: 15 }),
      async ({ limit, crowd, ...made }, operations) => {
        const clock = new ManualClock(start);
        const options = { ...made, ...(limit !== undefined && { limit }), clock };
        const engine = new Leaderboard<Score>(own.client, {
          ...{ ...options, key: freshPrefix(), layout: layouts[layout] },
        });
        const model = new LeaderboardModel<Score>({ ...options, layout, dimensions: dimensionsOf(made.order) });
        const judged = { engine, model, layout, update: made.update, clock };
        await engine.expireAt(new Date('2100-01-01'));
        for (const one of crowd > 0 ? [crowdOf(crowd), ...operations] : operations) {
          await perform(judged, one);
          await compareEntries(judged);
        }
        await compareReads(judged);
      },
    );
    const numRuns = Math.ceil(sequences / lines);
    await Promise.all(Array.from({ length: lines }, (_, line) => fc.assert(property, { seed: seed + line, numRuns })));
  },
);
