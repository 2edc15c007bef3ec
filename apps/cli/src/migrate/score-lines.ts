import type { SourceScore } from '@laurel/activity/tools';
import { maxUserIdBytes } from '@laurel/activity/internals';
import { shownId } from '../output/shown-id';
import type { SourceEntry } from './sorted-set';

/** How members and scores are read. */
export interface ReadingOptions {
  /** What stands before each user id in the members. */
  readonly memberPrefix: string;
  /** Whether the fraction of a score is left out: it is a time. */
  readonly isWhole: boolean;
  /** Whether scores may be any numbers. */
  readonly takesAny: boolean;
}

/** A user's score, or what is wrong with an entry. */
export type ScoreLine = SourceScore | { readonly fault: string };

/** Reads an entry of somebody else's sorted set. */
export function lineOf({ member, score }: SourceEntry, options: ReadingOptions): ScoreLine {
  const { memberPrefix, isWhole, takesAny } = options;
  const told = (what: string) => ({ fault: `${shownId(member)}: ${what}` });
  if (!member.startsWith(memberPrefix)) return told(`does not begin with ${JSON.stringify(memberPrefix)}`);
  const userId = member.slice(memberPrefix.length);
  if (userId === '' || Buffer.byteLength(userId) > maxUserIdBytes)
    return told(`is no id of 1 to ${maxUserIdBytes} bytes`);
  if (!userId.isWellFormed() || userId.includes('\uFFFD')) return told('is no text in UTF-8');
  if (!Number.isFinite(score)) return told(`${score} is no number of points`);
  if (takesAny) return { userId, score };
  const points = isWhole ? Math.floor(score) : score;
  if (!Number.isSafeInteger(points)) return told(`${score} is no whole number: --whole leaves the fraction out`);
  if (points < 0) return told(`${score} is below zero: no adjustment gives that; a --board takes any score`);
  return { userId, score: points };
}
