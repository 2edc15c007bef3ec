import { maxPartitionBytes, type BoardOutcome } from '@laurel/leaderboard/internals';
import type { OutcomeName } from '../../core/activity/activity';
import { Fits, LeftOut } from '../../core/http/validation';
import { ApiProperty } from '../../core/peers/decorators';
import { pointsWithin } from '../../core/points/decimals';
import { anything, isDay, nullable, value } from '../../core/schema/schema';
import { identifier, note, readBody, user } from '../checks';

/** The longest id of an adjustment, in bytes of UTF-8: it is stored in a ledger's field. */
export const maxAdjustmentIdBytes = 56;

/** The most points that one adjustment adds or takes, in whole units of theirs. */
export const maxAdjustmentPoints = 1_000_000;

/** Points that an operator adds to a user, or takes. */
export class Adjustment {
  /** @example 42 */
  @Fits(user)
  readonly userId: string;

  /**
   * Not 0. A minus may lead below zero, which a leaderboard shows as its `floor`.
   * @minimum -1000000 @maximum 1000000 @multipleOf 0.01 @example -50
   */
  @Fits(anything)
  readonly points: number;

  /** 1 to 512 bytes; shown in the history. @example Points for spam */
  @Fits(note)
  readonly reason: string;

  /** 1 to 56 bytes: it is stored in a ledger's field. Each is applied once to a user. @example ticket-4711 */
  @Fits(identifier(maxAdjustmentIdBytes))
  readonly id: string;

  /** The day whose ledger and whose open leaderboards are adjusted. Default: today. @format date */
  @LeftOut(nullable(value(isDayOfLedgers, 'a day such as 2026-11-20')))
  readonly date?: string | null;

  /** The one leaderboard to adjust. Default: all that are not partitioned. */
  @LeftOut(nullable(value((given) => typeof given === 'string', 'a string')))
  readonly leaderboard?: string | null;

  /** Of a partitioned leaderboard, the one partition to adjust. @example java */
  @LeftOut(nullable(identifier(maxPartitionBytes)))
  readonly partition?: string | null;
}

/** @throws ActivityError `invalidAdjustment` with the path of each fault. */
export function readAdjustment(given: unknown, decimals: number): Adjustment {
  const bounds = { min: -maxAdjustmentPoints, max: maxAdjustmentPoints, isNotZero: true };
  return readBody(Adjustment, given, { points: pointsWithin(decimals, bounds) }, 'invalidAdjustment');
}

function isDayOfLedgers(given: unknown): given is string {
  return isDay(given) && given >= '1970-01-01';
}

/** An adjustment's changes. */
export class AdjustedPoints {
  /** @example ticket-4711 */
  readonly id: string;
  /** @example 42 */
  readonly userId: string;
  /**
   * Points were added; were taken; the id was applied before; the day is closed; more than a board holds, or of an
   * erased user.
   */
  @ApiProperty({ enum: ['granted', 'revoked', 'duplicate', 'closed', 'rejected'] })
  readonly outcome: OutcomeName;
  /** The largest change on a leaderboard of the module's time zone. @example -50 */
  readonly points: number;
  /** The change on each leaderboard. @multipleOf 0.01 @example {"day":-5,"month":-50} */
  readonly changes: Readonly<Record<string, number>>;
}

/** The result of an adjustment. */
export class Adjusted extends AdjustedPoints {
  /** @multipleOf 0.01 @example {"day":0,"month":17} */
  readonly scores: Readonly<Record<string, number>>;
  /** @example {"day":"counted","month":"counted"} */
  readonly boards: Readonly<Record<string, BoardOutcome>>;
  /** Why, where the outcome alone does not say. @example scoreOutOfRange */
  readonly reason?: string;
}

/** An adjustment in the list of the latest ones. */
export class TracedAdjustment extends AdjustedPoints {
  /** @format date-time */
  readonly at: string;
  /** The points that were asked for. @example -50 */
  readonly asked: number;
  /** @example Points for spam */
  readonly reason: string;
}

/** The latest adjustments, the latest first. */
export class AdjustmentsAnswer {
  readonly adjustments: readonly TracedAdjustment[];
}
