// Private: tests send a script by itself, and count its calls. No package tells their names.
export { scripts } from '../../libs/leaderboard/src/scripts/scripts.generated';
