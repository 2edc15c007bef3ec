import { Period, ScoreLayout, type RedisClient, type Score } from '@laurel/leaderboard';
import type { ModelLayout } from './leaderboard-model';

/** Where the contract is run: a client that is connected when the tests run, and how many shards boards have. */
export interface ContractOptions {
  readonly redis: () => RedisClient;
  readonly shards: number;
}

/** When the clocks of boards begin. */
export const start = Date.UTC(2026, 10, 20);

/** A layout that the contract is run with. */
export interface ContractLayout {
  readonly name: ModelLayout;
  readonly layout: ScoreLayout<Score>;
  /** A score of the layout for a small whole number. */
  readonly score: (n: number) => Score;
}

// A month keeps every millisecond; the layout's own 64 years do not.
const period = Period.of('month', new Date(start), 'UTC');
const dimensions = ['wins', { name: 'minutes', order: 'asc' }] as const;

/** One of each kind. */
export const layouts: readonly ContractLayout[] = [
  { name: 'plain', layout: ScoreLayout.plain(), score: (n) => n },
  { name: 'packed', layout: ScoreLayout.packed({ period }), score: (n) => n },
  { name: 'lexical', layout: ScoreLayout.lexical({ dimensions }), score: (n) => [Math.floor(n / 4), -(n % 4) / 3] },
];
