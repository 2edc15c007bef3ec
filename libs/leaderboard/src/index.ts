export { systemClock, type Clock } from './clock';
export { LeaderboardError, type LeaderboardErrorCode } from './errors';
export { checkTransition, Ledger, maxFieldBytes, type PeriodState } from './ledger/ledger';
export type {
  LedgerBoard,
  LedgerDay,
  LedgerField,
  LedgerOptions,
  Transition,
  TransitionLimit,
  TransitionOutcome,
  TransitionResult,
} from './ledger/ledger.types';
export { Period, periodKinds, type PeriodKind } from './period';
export { shardOf } from './shard';
export type { RedisClient } from './scripts/run';
