/** Names of a script's keys or arguments, in order: each stands in a call once, perhaps, or any number of times. */
export type Names = Readonly<Record<string, 'one' | 'optional' | 'list'>>;

/** A Lua script with the names of its keys and arguments, as its contract header lists them. */
export interface Script<K extends Names = Names, A extends Names = Names> {
  readonly name: string;
  readonly keys: K;
  readonly args: A;
  /** The lists that its arguments and replies hold: their fields in order. */
  readonly records?: Readonly<Record<string, readonly string[]>>;
  readonly sha1: string;
  readonly lua: string;
}
