import { OneOf, Text } from '@laurel/activity/http';
import { PageSize } from '../input/page-query';
import { VisibleText } from '../input/visible-text';
import { shownName } from '../profiles/shown-name';

const rankings = ['ordinal', 'competition', 'dense'] as const;

/** A user's text about themselves. */
export class ProfileText {
  @VisibleText({ max: 120, tidy: shownName, description: 'In one line.', example: 'Writes about sorted sets.' })
  readonly text: string;
}

/** A part of a name, and the leaderboard to look the users up on. */
export class UserSearch extends PageSize {
  @VisibleText({ max: 40, tidy: shownName, description: 'Any part of the name, in capitals or not.', example: 'love' })
  readonly name: string;

  @Text({ max: 32, description: 'The leaderboard on which their places are wanted.', example: 'day' })
  readonly leaderboard?: string;

  @Text({ max: 24, default: 'current', description: 'Its period, as for standings.' })
  readonly period?: string;

  @OneOf(rankings, { default: 'ordinal', description: 'How equal scores are ranked.' })
  readonly ranking?: (typeof rankings)[number];

  @Text({ max: 64, description: 'Its partition; required if it has partitions.', example: 'technology' })
  readonly partition?: string;
}
