/** One window of one board, or of one part of it. */
export interface WindowName {
  readonly prefix: string;
  readonly board: string;
  readonly days: number;
  /** The day that the window ends with. */
  readonly day: string;
  readonly partition: string | null;
}

/** The keys that a rolling window has beside those of the engine, on one shard. What users name comes last. Those that hold
 * members are listed among the windows of their shard by what follows the tag. */
export const rollingKeys = {
  /** This shard's part of the window. */
  board: (name: WindowName, tag: string): string => keyOf('rolling', name, tag),

  /** Beside this shard's part of the window: those who are excluded. */
  aside: (name: WindowName, tag: string): string => keyOf('rolling-aside', name, tag),

  /** The sum of its closed days, the last of which is `closed`, with everyone in it. */
  base: (name: WindowName, tag: string, closed: string): string => keyOf(baseKind(closed), name, tag),

  /** What is being put together; `token` is unique. */
  draft: (name: WindowName, tag: string, token: string): string => `{${name.prefix}:${tag}}:rolling-draft:${token}`,

  /** On the first shard: the moment as of which the window is. */
  asOf: (name: WindowName, tag: string): string => keyOf('rolling-as-of', name, tag),

  /** On the first shard: who puts it together. */
  lock: (name: WindowName, tag: string): string => keyOf('rolling-lock', name, tag),
};

function baseKind(closed: string): string {
  return `rolling-base:${closed}`;
}

/** The name of the set beside a window, where the name is one of a window; null: it has none. */
export function asideOf(listed: string): string | null {
  return listed.startsWith('rolling:') ? `rolling-aside:${listed.slice('rolling:'.length)}` : null;
}

/** What is the sum of a window's closed days, by the name that it is listed as; null: it is something else. */
export function closedOf(listed: string): (Omit<WindowName, 'prefix'> & { readonly closed: string }) | null {
  const date = '\\d{4}-\\d\\d-\\d\\d';
  const pattern = new RegExp(`^rolling-base:(${date}):([^:]+):(\\d+):(${date})(?::([^]*))?$`);
  const [, closed, board = '', days, day = '', partition = null] = pattern.exec(listed) ?? [];
  return closed === undefined ? null : { closed, board, days: Number(days), day, partition };
}

function keyOf(what: string, { prefix, board, days, day, partition }: WindowName, tag: string): string {
  return `{${prefix}:${tag}}:${what}:${board}:${days}:${day}${partition === null ? '' : `:${partition}`}`;
}
