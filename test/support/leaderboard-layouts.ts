import { Period, ScoreLayout, type LeaderboardOptions, type RedisClient, type Score } from '@laurel/leaderboard';
import type { ModelLayout } from './leaderboard-model';

/** Where the contract is run: a client that is connected when the tests run, and how many shards boards have. */
export interface ContractOptions {
  readonly redis: () => RedisClient;
  readonly shards: number;
}

/** When the contract's clocks begin. */
export const start = Date.UTC(2026, 10, 20);

/** A layout that the contract is run with. */
export interface ContractLayout {
  readonly name: ModelLayout;
  readonly options: Partial<LeaderboardOptions<Score>>;
  /** A score of the layout for a small whole number. */
  readonly score: (n: number) => Score;
}

// A month keeps every millisecond; the layout's own 64 years do not.
const period = Period.of('month', new Date(start), 'UTC');
const packedDimensions = [
  { name: 'wins', max: 63 },
  { name: 'minutes', max: 15, order: 'asc' },
] as const;
const dimensions = ['wins', { name: 'minutes', order: 'asc' }] as const;

/** One of each kind. */
export const layouts: readonly ContractLayout[] = [
  { name: 'plain', options: {}, score: (n) => n },
  { name: 'packed', options: { layout: ScoreLayout.packed({ period }) }, score: (n) => n },
  {
    name: 'packed dimensions',
    options: { layout: ScoreLayout.packed({ dimensions: packedDimensions, period }) },
    score: (n) => [Math.floor(n / 4), n % 4],
  },
  {
    name: 'lexical',
    options: { layout: ScoreLayout.lexical({ dimensions }) },
    score: (n) => [Math.floor(n / 4), -(n % 4) / 3],
  },
];
