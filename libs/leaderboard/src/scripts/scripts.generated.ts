// Generated from scripts/*.lua by `npm run generate`. Do not edit.

/** A Lua script with the names of its keys and arguments, as its contract header lists them. */
export interface Script {
  readonly name: string;
  readonly keys: readonly string[];
  readonly args: readonly string[];
  readonly sha1: string;
  readonly lua: string;
}

export const scripts = {

} as const satisfies Record<string, Script>;
