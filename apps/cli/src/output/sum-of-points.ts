/** Two amounts of points together: they have two decimals at most, so their sum has no more. */
export function sumOfPoints(one: number, other: number): number {
  return Number((one + other).toFixed(2));
}
