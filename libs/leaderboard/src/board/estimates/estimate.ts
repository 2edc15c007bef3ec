import { checkedSetting } from '../../errors/errors';

/** About where an entry stands. */
export interface Estimate {
  /** An ordinal rank. */
  readonly rank: number;
  /** The true rank was at most so many places away when the table was read; see `estimateRank` for the probability. */
  readonly error: number;
}

/** How ranks are estimated. */
export interface EstimateOptions {
  /**
   * Number of segments of equal counts in the table; twelve lines in each show where an entry stands. With 256 the
   * error is at most a twentieth of a percent of the board's size, and a place or two.
   * @defaultValue `256`
   */
  readonly segments?: number;
  /** How often the table is read anew while estimates are asked for, in milliseconds. @defaultValue `60_000` */
  readonly refreshMs?: number;
  /** How many of the best get their exact rank, as of when the table was read. @defaultValue `1_000` */
  readonly exactTop?: number;
}

/** The longest time that Node's timers take. */
const longestTimer = 2 ** 31 - 1;

/** @throws LeaderboardError `invalidOption`, naming the option, its value and what is allowed. */
export function estimateSettings(options: EstimateOptions = {}): Required<EstimateOptions> {
  const { segments = 256, refreshMs = 60_000, exactTop = 1_000 } = options;
  return Object.freeze({
    segments: checkedSetting('estimates.segments', segments, 1, 10_000),
    refreshMs: checkedSetting('estimates.refreshMs', refreshMs, 1, longestTimer),
    exactTop: checkedSetting('estimates.exactTop', exactTop, 0, 100_000),
  });
}
