import type { Ranking } from '@laurel/leaderboard';
import { LeftOut } from '../core/http/validation';
import { value } from '../core/schema/schema';
import { EqualsRanked, PageLimit, Partition, WithTitles } from '../core/ranks/rank.dto';

/** Which first page a stream tells of. */
export class StreamQuery {
  @Partition()
  readonly partition?: string;

  @EqualsRanked()
  readonly ranking?: Ranking;

  @WithTitles()
  readonly titles?: boolean;

  @PageLimit()
  readonly limit?: number;

  /** A stream follows the current period. @defaultValue current */
  @LeftOut(value(isCurrent, 'current: a stream follows it; other periods are read by GET /ranks'))
  readonly period?: 'current';
}

function isCurrent(given: unknown): given is 'current' {
  return given === 'current';
}
