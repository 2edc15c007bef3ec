/** One window of one board, or of one part of it. */
export interface WindowName {
  readonly prefix: string;
  readonly board: string;
  readonly days: number;
  /** The day that the window ends with. */
  readonly day: string;
  readonly partition: string | null;
}

/** Keys of a rolling window on one shard; {@link keys.windows} lists those that hold members, without their tags. */
export const rollingKeys = {
  /**
   * One shard of a rolling window, `<board>:<days>:<last day>`, and `:<partition>` where it is of one.
   * @redis sorted set: member -> packed score
   * @expires soon after the window was last needed
   */
  board: (name: WindowName, tag: string): string => `{${name.prefix}:${tag}}:rolling:${windowOf(name)}`,

  /**
   * Beside one shard of a rolling window: the entries of excluded members.
   * @redis sorted set: member -> packed score
   * @expires with the window
   */
  aside: (name: WindowName, tag: string): string => `{${name.prefix}:${tag}}:rolling-aside:${windowOf(name)}`,

  /**
   * The sum of a window's days that are over, up to the day `over`, with everyone in it.
   * @redis sorted set: member -> packed score
   * @expires ten minutes after it is made anew
   */
  base: (name: WindowName, tag: string, over: string): string =>
    `{${name.prefix}:${tag}}:rolling-base:${over}:${windowOf(name)}`,

  /**
   * A window or a sum while it is built; `token` is unique.
   * @redis sorted set: member -> packed score
   * @expires when it takes its place, or soon after its builder dies
   */
  draft: (name: WindowName, tag: string, token: string): string => `{${name.prefix}:${tag}}:rolling-draft:${token}`,

  /**
   * On the first shard: the moment as of which a window is exact.
   * @redis string: ms
   * @expires with the window
   */
  asOf: (name: WindowName, tag: string): string => `{${name.prefix}:${tag}}:rolling-as-of:${windowOf(name)}`,

  /**
   * On the first shard: the instance that builds a window.
   * @redis string: a token
   * @expires a lease, when it ends
   */
  lock: (name: WindowName, tag: string): string => `{${name.prefix}:${tag}}:rolling-lock:${windowOf(name)}`,
};

/** The name of the set beside a window, where the name is one of a window; null: it has none. */
export function asideOf(listed: string): string | null {
  return listed.startsWith('rolling:') ? `rolling-aside:${listed.slice('rolling:'.length)}` : null;
}

function windowOf({ board, days, day, partition }: WindowName): string {
  return `${board}:${days}:${day}${partition === null ? '' : `:${partition}`}`;
}
