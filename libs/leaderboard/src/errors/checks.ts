import { invalidArgument, invalidOption } from './errors';

/** @throws LeaderboardError `invalidArgument` unless `value` is a whole number from `least`. */
export function checkedWhole(name: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw invalidArgument(`${name} is ${String(value)}: use a whole number from ${least}.`);
}

/** @throws LeaderboardError `invalidOption` unless `value` is a whole number from `least` to `most`. */
export function checkedSetting(name: string, value: number, least: number, most: number): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw invalidOption(`${name} is ${String(value)}: use a whole number from ${least} to ${most}.`);
}
