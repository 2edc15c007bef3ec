import {
  type Entries,
  object,
  type ObjectOf,
  optional,
  optionError,
  optionFault,
  read,
  text,
} from '@laurel/activity/internals';

/** Environment variables by name, as `process.env` has them. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The value of a variable; undefined where it is not set, or set to nothing. */
export function textOf(variables: Variables, name: string): string | undefined {
  const value = variables[name]?.trim();
  return value === '' ? undefined : value;
}

/**
 * Reads the variables that a schema describes, each by itself.
 * @throws ActivityError `invalidOption`, naming each bad one, its value (except secrets) and what is allowed.
 */
export function readVariables<Of extends Entries>(entries: Of, variables: Variables): ObjectOf<Of> {
  const given = Object.keys(entries).map((name) => [name, textOf(variables, name)]);
  return read(object(entries), Object.fromEntries(given));
}

/** The refusal of a variable, naming it, its value and what is allowed. For a secret see {@link variableFault}. */
export function variableError(name: string, value: string, allowed: string): Error {
  return optionError(name, value, allowed);
}

/** The refusal of a variable that says in words what is wrong, such as `is not set`, and what is allowed. */
export function variableFault(name: string, fault: string, allowed: string): Error {
  return optionFault(name, fault, allowed);
}

const dataDirVariables = {
  /** Where private servers keep their files. @defaultValue `.data` */
  LAUREL_DATA_DIR: optional(text(/\S/, 'the path of a folder'), '.data'),
};

/** The folder in which private servers keep their files. */
export function dataDirFrom(variables: Variables): string {
  return readVariables(dataDirVariables, variables).LAUREL_DATA_DIR;
}

/** Without what is undefined. */
export function present<Options extends object>(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, option]) => option !== undefined)) as Options;
}
