// Private: the law of points itself, which models of tests apply to sets of transitions.
export { join, nothing, type Fact } from '../../libs/leaderboard/src/ledger/facts/fact';
export { countedDays, tried, type Almanac, type DayField } from '../../libs/leaderboard/src/ledger/facts/standing';
