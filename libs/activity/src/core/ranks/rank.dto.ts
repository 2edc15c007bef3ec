import type { Ranking } from '@laurel/leaderboard';
import { rankings } from '@laurel/leaderboard/internals';
import { identifierFault, maxUserIdBytes } from '../activity/activity';
import { Fits, Flag, OneOf, Percentile, Points, Text, WholeNumber } from '../http/validation';
import { value } from '../schema/schema';

/** The range of each number in a query, both ends included. */
export const allowed = {
  limit: [1, 100],
  offset: [0, 1_000_000_000],
  radius: [0, 50],
  /** How many users one lookup may name. */
  userIds: [1, 200],
} as const;

/** From which end of the standings a page comes. */
const orders = ['best', 'worst'] as const;

/** The `next` of the page before: a user id of 128 control characters makes one of 1,070. */
const Cursor = () => Text({ max: 2_048, description: '`next` of the page before.' });

/** The partition of a leaderboard. */
export const Partition = () =>
  Text({ max: 64, description: 'Which partition of the leaderboard; required if it has partitions.', example: 'java' });

/** How equal scores are ranked. */
export const EqualsRanked = () => OneOf(rankings, { default: 'ordinal', description: '1234, 1224 or 1223.' });

/** Whether entries have titles. */
export const WithTitles = () => Flag("Whether entries come with their users' titles.");

/** Whether a page comes with the line of the user who asks. */
const WithOwn = () => Flag('Whether the page comes with `me`, the line of the user who asks.');

/** How many entries a page of standings has. */
export const PageLimit = () => WholeNumber({ min: allowed.limit[0], max: allowed.limit[1], default: 10 });

/** Which period, and how equal scores are ranked. */
export class RankQuery {
  @Text({
    max: 24,
    default: 'current',
    description:
      '`current`, `previous` or a key: `2026-11-20`, `2026-W47` (from Sundays `2026-S47`, counted `2026-09-07-W0117`), `2026-11`, ' +
      '`2026-Q4`, `2026`, `all`, of a contest or season `2026-11-01--2026-11-30`.',
  })
  readonly period?: string;

  @Text({
    max: 10,
    description: 'Of a leaderboard of days, instead of `period`: the first of up to 366 days that are ranked as one.',
    example: '2026-11-07',
  })
  readonly from?: string;

  @Text({ max: 10, description: 'The last of these days. Default: today.', example: '2026-11-20' })
  readonly to?: string;

  @Partition()
  readonly partition?: string;

  @EqualsRanked()
  readonly ranking?: Ranking;
}

/** How equal scores are ranked on all leaderboards of a user. */
export class UserRanksQuery {
  @EqualsRanked()
  readonly ranking?: Ranking;
}

/** As {@link RankQuery}, with or without titles. */
export class LookupQuery extends RankQuery {
  @WithTitles()
  readonly titles?: boolean;
}

/** Which page of standings. */
export class StandingsQuery extends LookupQuery {
  @PageLimit()
  readonly limit?: number;

  @WholeNumber({
    min: allowed.offset[0],
    max: allowed.offset[1],
    default: 0,
    description: 'Entries to pass over. Not together with `cursor`.',
  })
  readonly offset?: number;

  @Percentile('Instead of `offset`: begins with the last entry of at least this percentile.')
  readonly percentile?: number;

  @Cursor()
  readonly cursor?: string;

  @Points('Only entries of at least so many points. A `cursor` is followed with the same bounds.')
  readonly minScore?: number;

  @Points('Only entries of at most so many points.')
  readonly maxScore?: number;

  @WithOwn()
  readonly me?: boolean;

  @OneOf(orders, {
    default: 'best',
    description: 'From which end entries come, each with its rank. From the worst, page by `offset`: `next` is null.',
  })
  readonly order?: (typeof orders)[number];
}

/** Whether a page begins with the first of all entries, if no percentile says otherwise. */
export function isFromFirst({ offset, order, cursor, minScore, maxScore }: Omit<StandingsQuery, 'me'>): boolean {
  return !offset && order !== 'worst' && (cursor ?? minScore ?? maxScore) === undefined;
}

/** Which page of a list. */
export class ListQuery {
  @WholeNumber({ min: allowed.limit[0], max: allowed.limit[1], default: 20, description: 'How many at most.' })
  readonly limit?: number;

  @Cursor()
  readonly cursor?: string;
}

/** Which partitions of a leaderboard. */
export class PartitionsQuery extends ListQuery {
  @Text({ max: 24, default: 'current', description: 'As for standings, as long as its boards live in Redis.' })
  readonly period?: string;
}

/** How far around a user. */
export class AroundQuery extends LookupQuery {
  @WholeNumber({ min: allowed.radius[0], max: allowed.radius[1], default: 5, description: 'Neighbours on each side.' })
  readonly radius?: number;

  @WithOwn()
  readonly me?: boolean;
}

/** How entries that are looked up come. */
export class AmongQuery extends LookupQuery {
  @Flag('Whether entries come in rank order, each user once, with their ranks among one another.')
  readonly among?: boolean;
}

/** The users whose entries to look up. */
export class LookupBody {
  /** @minItems 1 @maxItems 200 @example ["42","7"] */
  @Fits(value(areUserIds, 'a list of 1 to 200 ids of users, each well-formed text of 1 to 128 bytes'))
  readonly userIds: readonly string[];
}

function areUserIds(given: unknown): given is string[] {
  const isId = (one: unknown): boolean => identifierFault(one, maxUserIdBytes) === null;
  return Array.isArray(given) && given.length >= 1 && given.length <= allowed.userIds[1] && given.every(isId);
}
