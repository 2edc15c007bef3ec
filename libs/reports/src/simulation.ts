/** A user's simulated points, and their real rank and points. */
export class SimulatedStanding {
  /** @example 42 */
  readonly userId: string;
  /** Under the simulated rules. @example 60 */
  readonly points: number;
  /**
   * When the real score was reached, or now where there is none, in milliseconds: of equal points, the earlier is
   * first.
   */
  readonly reachedAtMs: number;
  /** Null: not on it. @minimum 1 @example 3 */
  readonly rankNow: number | null;
  /** @example 37 */
  readonly pointsNow: number;
}

/** How a period would have stood under other rules. */
export class Simulation {
  /** @example month */
  readonly leaderboard: string;
  /** @example 2026-11 */
  readonly period: string;
  /** The users on it, now or by the other rules. @example 1234 */
  readonly users: number;
  /** @example 9876 */
  readonly pointsNow: number;
  /** @example 12345 */
  readonly pointsThen: number;
  /** The best, in order, without users that would have no points. */
  readonly top: readonly SimulatedStanding[];
  /** Recorded actions for which the rules give nothing. */
  readonly worthless: readonly string[];
  /** Users whose ledgers do not add up to their points, because of activities or revokes that came too late. */
  readonly uneven: number;
}
