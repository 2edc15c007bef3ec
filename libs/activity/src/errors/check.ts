import { ActivityError, type Fault } from './errors';

/** Any lateness or retention up to a thousand years: importing history needs many. */
export const anyDuration: readonly [number, number] = [0, 1_000 * 366 * 86_400_000];

/** A refusal of an option, naming it, its value and what is allowed. */
export function optionError(option: string, value: unknown, allowed: string): ActivityError {
  return optionFault(option, `is ${shown(value)}`, allowed);
}

/** A refusal of an option that says in words what is wrong: the value is not to be shown, or is not what is wrong. */
export function optionFault(option: string, fault: string, allowed: string): ActivityError {
  const message = `${fault}: ${allowed}.`;
  return new ActivityError('invalidOption', `${option} ${message}`, { faults: [{ path: option, message }] });
}

/** A whole number from `min` to `max`. */
export function checkedWhole(option: string, value: unknown, [min, max]: readonly [number, number]): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw optionError(option, value, `use a whole number from ${min} to ${max}`);
}

/** One of the words allowed. */
export function checkedWord<Word extends string>(option: string, value: unknown, words: readonly Word[]): Word {
  if (words.includes(value as Word)) return value as Word;
  throw optionError(option, value, `use one of ${words.map((word) => JSON.stringify(word)).join(', ')}`);
}

/** A text that matches. */
export function checkedText(option: string, value: unknown, pattern: RegExp, allowed: string): string {
  if (typeof value === 'string' && pattern.test(value)) return value;
  throw optionError(option, value, allowed);
}

/** Lists come from JSON and environments as well: a value that is none is refused by name. */
export function checkedList<Item>(option: string, value: readonly Item[]): readonly Item[] {
  const given: unknown = value;
  if (!Array.isArray(given)) throw optionError(option, value, 'use a list');
  return value;
}

/** An object that has no other keys than those allowed: a misspelt one would be passed over in silence. */
export function checkedKeys(option: string, value: unknown, allowed: readonly string[]): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw optionError(option, value, `use an object with ${allowed.join(', ')}`);
  }
  const unknown = Object.keys(value).find((key) => !allowed.includes(key));
  if (unknown !== undefined) throw optionFault(`${option}.${unknown}`, 'is unknown', `there are ${allowed.join(', ')}`);
}

/** A list without two items of one name. */
export function checkedUnique(option: string, names: readonly string[], advice: string): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw optionError(option, twice, `it is given twice; ${advice}`);
}

/** A day of the calendar, `2026-11-20`. */
export function checkedDay(option: string, value: unknown): string {
  if (isDay(value)) return value;
  throw optionError(option, value, 'use a day such as "2026-11-20"');
}

/** A 30th of February, which `Date` would take for the 2nd of March, is no day. */
export function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const atMs = Date.parse(value);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(value);
}

/** The faults for which a check refuses; none where it does not. */
export function faultsIn(check: () => unknown): readonly Fault[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof ActivityError && error.faults.length > 0) return error.faults;
    throw error;
  }
}

function shown(value: unknown): string {
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  const text = typeof value === 'number' ? String(value) : jsonOf(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** What JSON cannot hold is to be refused by its name as well: circles, bigints, lists in lists in lists. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'undefined';
  } catch {
    return 'what JSON cannot hold';
  }
}
