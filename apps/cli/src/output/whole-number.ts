import { InvalidArgumentError } from 'commander';

/** Reads an option that is a whole number from `min` to `max`. */
export function wholeFrom(min: number, max: number): (text: string) => number {
  return (text) => {
    const count = Number(text);
    if (/^\d+$/.test(text) && count >= min && count <= max) return count;
    throw new InvalidArgumentError(`Use a whole number from ${min} to ${max}.`);
  };
}
