import type { PeriodKind } from '@laurel/leaderboard';
import { periodKinds } from '@laurel/leaderboard/internals';
import { ApiProperty, ApiPropertyOptional, OmitType } from '../peers/decorators';

/** How equal scores are ranked: 1234, 1224 or 1223. */
export const rankings = ['ordinal', 'competition', 'dense'] as const;

/** Whether a period takes activities: it is a contest to come; it runs; it ended and takes late ones; it is final. */
export const periodStates = ['notStarted', 'open', 'closing', 'settled'] as const;

/** A user's title. */
export class RankTitle {
  @ApiProperty({ description: 'For translations.', example: 'most-praised' })
  readonly id: string;

  @ApiProperty({ example: 'Most praised' })
  readonly name: string;
}

/** A user as ranks show them. */
export class RankUser {
  @ApiProperty({ example: 'Ada' })
  readonly name: string;

  @ApiProperty({ type: String, nullable: true, example: 'https://example.org/ada.png' })
  readonly avatarUrl: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: "A line by the user about themselves, if the app's profiles have it.",
    example: 'Writes about sorted sets.',
  })
  readonly text?: string | null;

  @ApiPropertyOptional({
    ...{ type: 'object', additionalProperties: true, example: { country: 'GB' } },
    description: "Further fields of the app's profiles: those that its option `profileFields` names.",
  })
  readonly data?: Readonly<Record<string, unknown>>;
}

/** A period of a leaderboard. */
export class RankPeriod {
  @ApiProperty({ example: '2026-11-20' })
  readonly key: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T00:00:00.000Z' })
  readonly start: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-11-21T00:00:00.000Z' })
  readonly end: string | null;

  @ApiProperty({ enum: periodStates })
  readonly state: (typeof periodStates)[number];
}

const changeMeaning =
  'Places won (positive) or lost since the period before, by the same ranking; null for who was not on it.';

const titleMeaning =
  "The user's title; null without one. In the answer of one user, and wherever titles are asked for.";

/** A user's line on a leaderboard. */
export class RankEntry {
  @ApiProperty({ minimum: 1, example: 1 })
  readonly rank: number;

  @ApiProperty({ example: '42' })
  readonly userId: string;

  @ApiProperty({ example: 37 })
  readonly score: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When the score was reached.' })
  readonly reachedAt: string | null;

  @ApiProperty({ type: Number, nullable: true, description: changeMeaning, example: 2 })
  readonly change: number | null;

  @ApiProperty({ type: RankUser, nullable: true, description: 'Null where no profile is known.' })
  readonly user: RankUser | null;

  @ApiPropertyOptional({ type: RankTitle, nullable: true, description: titleMeaning })
  readonly title?: RankTitle | null;
}

/** As {@link RankEntry}; `rank` is null for a user who is not on the leaderboard. */
export class OptionalRankEntry extends OmitType(RankEntry, ['rank']) {
  @ApiProperty({ type: Number, minimum: 1, nullable: true, example: 1 })
  readonly rank: number | null;
}

/** The fields that every answer about one leaderboard begins with. */
export class LeaderboardAnswer {
  @ApiProperty({ example: 'day' })
  readonly leaderboard: string;

  @ApiPropertyOptional({ description: 'Of a partitioned leaderboard: which partition.', example: 'java' })
  readonly partition?: string;
}

/** The fields that every answer about one period begins with. */
export class RankAnswer extends LeaderboardAnswer {
  @ApiProperty({ type: RankPeriod })
  readonly period: RankPeriod;

  @ApiProperty({ description: 'How many users are on it.', example: 1234 })
  readonly total: number;
}

/** A page of standings. */
export class RankPage extends RankAnswer {
  @ApiProperty({ type: [RankEntry] })
  readonly entries: readonly RankEntry[];

  @ApiProperty({ type: String, nullable: true, description: 'The cursor of the next page; null on the last.' })
  readonly next: string | null;

  @ApiPropertyOptional({
    ...{ type: OptionalRankEntry, nullable: true },
    description: 'With `me=true`: the line of the user who asks, wherever they stand; null where nobody is signed in.',
  })
  readonly me?: OptionalRankEntry | null;
}

/** The entry of a user asked for. */
export class RankAmong extends OptionalRankEntry {
  @ApiPropertyOptional({
    ...{ type: Number, minimum: 1, nullable: true, example: 1 },
    description: 'With `among=true`: the rank among the users asked for; null for who is not on the leaderboard.',
  })
  readonly among?: number | null;
}

/** The entries of the users asked for, in the order asked; with `among=true` in rank order. */
export class RankLookup extends RankAnswer {
  @ApiProperty({ type: [RankAmong] })
  readonly entries: readonly RankAmong[];
}

/** Who has the next better rank. */
export class RankAhead {
  @ApiProperty({ example: '7' })
  readonly userId: string;

  @ApiProperty({ example: 41 })
  readonly score: number;

  @ApiProperty({ description: 'Points that are missing to draw level.', example: 4 })
  readonly gap: number;
}

/** What stands between a user and the first ten. */
export class RankTopTen {
  @ApiProperty({ description: 'What the tenth has.', example: 60 })
  readonly score: number;

  @ApiProperty({ description: 'Points that are missing to draw level with the tenth.', example: 23 })
  readonly gap: number;
}

/** One user's standing. */
export class RankStanding extends RankAnswer {
  @ApiProperty({ type: OptionalRankEntry })
  readonly entry: OptionalRankEntry;

  @ApiPropertyOptional({
    description:
      'True if the user is excluded from the leaderboards; sent to this user and to the API key alone. The score is theirs.',
  })
  readonly excluded?: true;

  @ApiPropertyOptional({
    description: 'True beside `excluded` if the user has opted out; others may exclude them too.',
  })
  readonly optedOut?: true;

  @ApiProperty({ description: 'Whether others have the same rank; by ordinal rank nobody has.' })
  readonly tied: boolean;

  @ApiProperty({ type: Number, nullable: true, minimum: 0, maximum: 100, description: '100: nobody is ahead.' })
  readonly percentile: number | null;

  @ApiProperty({
    type: RankAhead,
    nullable: true,
    description:
      'Who has the next better rank: by ordinal rank who stands directly ahead, with a gap of 0 where both have the same ' +
      'points; by the others the nearest with other points. Null for who has the best.',
  })
  readonly ahead: RankAhead | null;

  @ApiProperty({
    type: RankTopTen,
    nullable: true,
    description: 'Null for the first ten themselves, ties with the tenth included, and where fewer than ten are on it.',
  })
  readonly top10: RankTopTen | null;
}

/** Where a user stands in the current period of each leaderboard, but for those that have partitions. */
export class UserStandings {
  @ApiProperty({ example: '42' })
  readonly userId: string;

  @ApiProperty({ type: [RankStanding], description: 'In the order of `GET /ranks`; without an entry, `rank` is null.' })
  readonly standings: readonly RankStanding[];
}

/** One partition of a leaderboard. */
export class RankPartition {
  @ApiProperty({ example: 'java' })
  readonly name: string;

  @ApiProperty({ description: 'How many users are on it.', example: 12 })
  readonly total: number;
}

/** The partitions of a leaderboard that have entries in one period, by name. */
export class RankPartitions {
  @ApiProperty({ example: 'category' })
  readonly leaderboard: string;

  @ApiProperty({ description: 'The kind of its partitions.', example: 'category' })
  readonly key: string;

  @ApiProperty({ type: RankPeriod })
  readonly period: RankPeriod;

  @ApiProperty({ type: [RankPartition] })
  readonly partitions: readonly RankPartition[];

  @ApiProperty({ type: String, nullable: true, description: 'The cursor of the next page; null on the last.' })
  readonly next: string | null;
}

/** A leaderboard, as the list of them shows it. */
export class RankLeaderboard {
  @ApiProperty({ example: 'day' })
  readonly name: string;

  @ApiProperty({ enum: [...periodKinds, 'contest', 'rolling'] })
  readonly kind: PeriodKind;

  @ApiProperty({ description: 'The zone in which its periods are cut.', example: 'Europe/London' })
  readonly timezone: string;

  @ApiPropertyOptional({
    description: 'The kind of its partitions: `?partition=` names one of them.',
    example: 'category',
  })
  readonly partition?: string;

  @ApiProperty({ type: [String], description: 'The actions that count.', example: ['view', 'praise'] })
  readonly actions: readonly string[];

  @ApiProperty({ type: RankPeriod, description: 'The period that runs.' })
  readonly current: RankPeriod;
}

/** All leaderboards. */
export class RankLeaderboards {
  @ApiProperty({ type: [RankLeaderboard] })
  readonly leaderboards: readonly RankLeaderboard[];
}
