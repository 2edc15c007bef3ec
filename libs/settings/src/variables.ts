import { checkedWhole, optionError, optionFault } from '@laurel/activity/internals';

/** Environment variables by name, as `process.env` has them. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The value of a variable; undefined where it is not set, or set to nothing. */
export function textOf(variables: Variables, name: string): string | undefined {
  const value = variables[name]?.trim();
  return value === '' ? undefined : value;
}

/** A whole number from `min` to `max`. @throws ActivityError `invalidOption`, naming the variable. */
export function wholeOf(variables: Variables, name: string, range: readonly [number, number]): number | undefined {
  const text = textOf(variables, name);
  return text === undefined ? undefined : wholeFrom(name, text, range);
}

/** A whole number written in digits. @throws ActivityError `invalidOption`, naming it as `name`. */
export function wholeFrom(name: string, text: string, range: readonly [number, number]): number {
  return checkedWhole(name, /^\d+$/.test(text) ? Number(text) : text, range);
}

/** The refusal of a variable, naming it, its value and what is allowed. For a secret see {@link variableFault}. */
export function variableError(name: string, value: string, allowed: string): Error {
  return optionError(name, value, allowed);
}

/** The refusal of a variable that says in words what is wrong, such as `is not set`, and what is allowed. */
export function variableFault(name: string, fault: string, allowed: string): Error {
  return optionFault(name, fault, allowed);
}

/** The folder in which an app without named servers keeps the files of its private ones. */
export function dataDirFrom(variables: Variables): string {
  return textOf(variables, 'LAUREL_DATA_DIR') ?? '.data';
}
