import type { SourceScore } from '../takeover/score-takeover';
import { maxUserIdBytes, pointsOf, unitsOf } from '@laurel/activity/internals';
import { shownId } from '../output/shown-id';
import type { SourceEntry } from './sorted-set';

/** How members and scores are read. */
export interface ReadingOptions {
  /** The text before each user id in the members. */
  readonly memberPrefix: string;
  /** Whether the fraction of a score is left out: it is a time. */
  readonly isWhole: boolean;
  /** How many decimals scores may have; null: scores may be any numbers. */
  readonly decimals: number | null;
}

/** A user's score, or what is wrong with an entry. */
export type ScoreLine = SourceScore | { readonly fault: string };

/** Reads an entry of somebody else's sorted set. */
export function lineOf({ member, score }: SourceEntry, options: ReadingOptions): ScoreLine {
  const { memberPrefix, isWhole, decimals } = options;
  const told = (what: string) => ({ fault: `${shownId(member)}: ${what}` });
  if (!member.startsWith(memberPrefix)) return told(`does not begin with ${JSON.stringify(memberPrefix)}`);
  const userId = member.slice(memberPrefix.length);
  if (userId === '' || Buffer.byteLength(userId) > maxUserIdBytes)
    return told(`is no id of 1 to ${maxUserIdBytes} bytes`);
  if (!userId.isWellFormed() || userId.includes('\uFFFD')) return told('is no text in UTF-8');
  if (!Number.isFinite(score)) return told(`${score} is no number of points`);
  if (decimals === null) return { userId, score };
  const points = isWhole ? Math.floor(score) : score;
  if (!Number.isSafeInteger(unitsOf(points, decimals)) || pointsOf(unitsOf(points, decimals), decimals) !== points) {
    const what = decimals === 0 ? 'is no whole number' : `has more than ${decimals} decimals`;
    return told(`${score} ${what}: --whole leaves the fraction out`);
  }
  if (points < 0) return told(`${score} is below zero: no adjustment gives that; a --board takes any score`);
  return { userId, score: points };
}
