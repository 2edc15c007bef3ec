import { LeaderboardError, type LeaderboardErrorCode } from '../../errors/errors';

/**
 * The numbers of a score, one for each dimension, -0 as 0.
 * @throws LeaderboardError with `code` unless they are so many numbers and none is NaN.
 */
export function checkedNumbers(
  numbers: readonly number[],
  dimensions: number,
  names: string,
  code: LeaderboardErrorCode,
): readonly number[] {
  // JavaScript callers have no compiler to keep them to the type.
  const given: readonly unknown[] = Array.isArray(numbers) ? numbers : [];
  if (given.length === dimensions && given.every((one) => typeof one === 'number' && !Number.isNaN(one))) {
    return numbers.map((number) => number + 0);
  }
  throw new LeaderboardError(code, `A score of this board is a list of ${dimensions} numbers: ${names}.`);
}
