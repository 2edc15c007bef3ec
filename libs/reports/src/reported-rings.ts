import { type Ring } from './rings/ring';

/** Users that give one another points, and how often. */
export class ReportedRings {
  /** @example 2026-11 */
  readonly period: string;
  /** @example praise */
  readonly action: string;
  /** @example 5 */
  readonly min: number;
  /** The first day whose ledgers were read: those of the period's first days may be gone. @example 2026-11-01 */
  readonly from: string;
  /** The last day whose ledgers were read. @example 2026-11-20 */
  readonly to: string;
  /** When the first day began. @format date-time */
  readonly since: string;
  /** Users on the standings of the period, excluded ones too. @example 1234 */
  readonly users: number;
  /** Pairs of users of whom one gives the other at least as often as `min` says. @example 321 */
  readonly edges: number;
  /** The tightest first. */
  readonly rings: readonly Ring[];
  /** How many rings there are, in the answer or not. @example 3 */
  readonly total: number;
  /** True if there were more paths than were tried, or more pairs than are remembered: the loosest were left out. */
  readonly isPartial: boolean;
  /** Users of the rings who are already excluded, by an operator or for a review. */
  readonly excluded: readonly string[];
}
