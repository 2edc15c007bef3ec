/** One window of one board, or of one part of it. */
export interface WindowName {
  readonly prefix: string;
  readonly board: string;
  readonly days: number;
  /** The day that the window ends with. */
  readonly day: string;
  readonly partition: string | null;
}

/** The keys that a rolling window has beside those of the engine, on one shard. What users name comes last. */
export const rollingKeys = {
  /** This shard's part of the window. */
  board: (name: WindowName, tag: string): string => keyOf('rolling', name, tag),

  /** The sum of its closed days, the last of which is `closed`. */
  base: (name: WindowName, tag: string, closed: string): string => keyOf(`rolling-base:${closed}`, name, tag),

  /** What is being put together; `token` is unique. */
  draft: (name: WindowName, tag: string, token: string): string => `{${name.prefix}:${tag}}:rolling-draft:${token}`,

  /** On the first shard: the moment as of which the window is. */
  asOf: (name: WindowName, tag: string): string => keyOf('rolling-as-of', name, tag),

  /** On the first shard: who puts it together. */
  lock: (name: WindowName, tag: string): string => keyOf('rolling-lock', name, tag),
};

function keyOf(what: string, { prefix, board, days, day, partition }: WindowName, tag: string): string {
  return `{${prefix}:${tag}}:${what}:${board}:${days}:${day}${partition === null ? '' : `:${partition}`}`;
}
