/** What other rooms use of board/. */
export { BoardReader } from './board-reader';
export type { BoardPage, BoardReaderOptions, RankingOption } from './board-reader.types';
export type { EstimateOptions } from './estimates/estimate';
export type { BoardLayout, Update } from './layouts/layout';
export { defaultMaxPoints, packedLayout, PackedScore, timeBitsLeft } from './layouts/packed';
export { ScoreLayout } from './layouts/score-layout';
export { beforeLine, type Bound } from './order/order';
export { checkedRanking, type Entry, type Ranking, type Score } from './order/order';
export type { Line, Order } from './order/order';
export { type BoardShards, redisNumber } from './shards/board-shards';
export { walk } from './shards/walk';
export { WholeBoard } from './whole-board';
