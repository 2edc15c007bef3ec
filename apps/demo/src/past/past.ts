import type { ActivityChange } from '@laurel/activity';
import type { articles, comments, follows, reactions } from '../../../community/src/database/schema';
import type { Inhabitant } from '../people/people';

/** Somebody of the past, and the id that they have in the database. */
export interface PastPerson {
  readonly id: string;
  readonly joinedAt: Date;
  readonly of: Inhabitant;
}

type Row<Table extends { readonly $inferSelect: object }> = Readonly<Table['$inferSelect']>;

/** What the database has of a past. */
export interface PastRows {
  readonly people: readonly PastPerson[];
  readonly articles: readonly Row<typeof articles>[];
  readonly comments: readonly Row<typeof comments>[];
  readonly reactions: readonly Row<typeof reactions>[];
  readonly follows: readonly Row<typeof follows>[];
}

/** A day of it, and what was done on it, in order. */
export interface PastDay {
  /** `2026-11-20` */
  readonly date: string;
  /** The first moment after it; of the last day, the moment at which the past ends. */
  readonly endMs: number;
  /** How many days lie between it and the last one. */
  readonly daysAgo: number;
  readonly changes: readonly ActivityChange[];
}

/** What a community has behind it. */
export interface Past extends PastRows {
  readonly days: readonly PastDay[];
}
