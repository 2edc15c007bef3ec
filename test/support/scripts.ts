// Private: tests send a script by itself, count its calls, or stop a process at one. No package tells their names.
export { scripts } from '../../libs/leaderboard/src/scripts/scripts.generated';
// Private: the hash under which Redis knows a script that judges transitions.
export { guarded } from '../../libs/leaderboard/src/ledger/sharding/guard';
