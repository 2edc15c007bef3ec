import type { ActivityChange } from '@laurel/activity';
import type { articles, comments, follows, reactions } from '../../../community/src/database/schema';
import type { Inhabitant } from '../people/people';

/** Somebody of the past, and the id that they have in the database. */
export interface PastPerson {
  readonly id: string;
  readonly joinedAt: Date;
  readonly of: Inhabitant;
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

type Rows<Table extends { readonly $inferSelect: object }> = readonly Readonly<Table['$inferSelect']>[];

/** A community's past: its rows in the database, and its activities day by day. */
export interface Past {
  readonly people: readonly PastPerson[];
  readonly articles: Rows<typeof articles>;
  readonly comments: Rows<typeof comments>;
  readonly reactions: Rows<typeof reactions>;
  readonly follows: Rows<typeof follows>;
  readonly days: readonly PastDay[];
}
