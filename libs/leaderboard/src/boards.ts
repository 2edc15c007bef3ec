/**
 * Leaderboards that stand alone: boards on Redis or a Redis Cluster with exact ranks, and nothing of the ledger. Begin
 * with {@link Leaderboard}.
 * @module @laurel/leaderboard/boards
 */
export { BoardReader, entriesOn, firstWith } from './board/board-reader';
export type { BoardHead, BoardPage, BoardReaderOptions, RankingOption } from './board/board-reader.types';
export type { Estimate, EstimateOptions } from './board/estimates/estimate';
export type { Dimension } from './board/layouts/lexical-layout';
export type { Order } from './board/order/order';
export type { PackedOptions } from './board/layouts/packed';
export { ScoreLayout } from './board/layouts/score-layout';
export type { Entry, Ranking, Score } from './board/order/order';
export { LeaderboardError, type LeaderboardErrorCode } from './errors/errors';
export type { Aggregate, MergeOptions } from './leaderboard/board-merge';
export type { WriteCondition } from './leaderboard/board-writer';
export {
  Leaderboard,
  type ConditionallyWritten,
  type MergeSource,
  type ScoreLine,
  type WriteAnswer,
  type WriteOptions,
  type Written,
} from './leaderboard/leaderboard';
export type { LeaderboardOptions } from './leaderboard/leaderboard-options';
export { PeriodicLeaderboard, type PeriodicLeaderboardOptions } from './leaderboard/periodic-leaderboard';
export type { RedisClient } from './redis/run';
export { systemClock, type Clock } from './time/clock';
export { Period } from './time/period';
export type { PeriodKind, PeriodSpec } from './time/period-spec';
