import { fromDigits, type Schema } from '../core/schema/schema';

/** A whole number in digits alone, as variables and queries have it: `0x10`, `1e2`, `+1` and `1.0` are none. */
export function digits(number: Schema<number>): Schema<number> {
  return (given, place) => number(fromDigits(given), place);
}
