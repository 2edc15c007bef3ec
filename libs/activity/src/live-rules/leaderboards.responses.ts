import { periodKinds } from '@laurel/leaderboard/internals';
import { type LeaderboardConfig, weekStarts } from '../core/options/activity.options';
import { ApiProperty } from '../core/peers/decorators';

const text = { type: 'string' } as const;
const texts = { type: 'array' as const, items: text };
const day = { ...text, format: 'date' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const place = { partition: text, only: texts, except: texts };
type OfOptions = 'points' | 'timezone' | 'weeksFrom';

/** A leaderboard as a body, for OpenAPI documents: all of its options but those that only an app's start can set. */
export const leaderboardBody = {
  type: 'object' as const,
  required: ['name'],
  properties: {
    name: { ...text, example: 'spring' },
    contest: { type: 'object' as const, required: ['from', 'to'], properties: { from: day, to: day } },
    period: { ...text, enum: [...periodKinds], example: 'week' },
    seasons: { type: 'array' as const, items: day },
    rolling: { type: 'object' as const, required: ['days'], properties: { days: whole, refreshMs: whole } },
    weekStart: { ...text, enum: [...weekStarts] },
    visibility: { ...text, enum: ['all', 'signed-in', 'nobody'] },
    actions: texts,
    partition: text,
    tallies: texts,
    where: { type: 'array' as const, items: { type: 'object' as const, required: ['partition'], properties: place } },
    floor: { ...whole, enum: [0], nullable: true },
    maxPoints: { type: 'number' as const, nullable: true },
    latenessMs: whole,
    retentionMs: { ...whole, nullable: true },
  } satisfies Record<Exclude<keyof LeaderboardConfig, OfOptions>, object>,
  additionalProperties: false,
  example: { name: 'spring', contest: { from: '2027-03-01', to: '2027-03-31' }, actions: ['publish'] },
};

/** A period that was filled. */
export class FilledPeriod {
  /** @example 2027-03-01--2027-03-31 */
  readonly period: string;
  /** The first of its days whose ledgers were there; earlier ones are gone. @format date */
  readonly from: string;
}

/** A leaderboard that began while the app runs, and what it was filled with. */
export class LiveLeaderboard {
  /** @example spring */
  readonly name: string;
  @ApiProperty({ ...leaderboardBody, description: 'As it was posted.' })
  readonly config: LeaderboardConfig;
  /** When it began, or last changed what counts on it. @format date-time */
  readonly since: string;
  /** When an operator ended it. @format date-time */
  readonly endedAt: string | null;
  /** When it was filled from the ledgers. Null: it still is being filled. @format date-time */
  readonly filledAt: string | null;
  /** The open periods, once filled. Those that had closed stay empty. */
  readonly periods: readonly FilledPeriod[];
  /** The actions that counted nowhere before: what users did of them until `since` cannot be filled in. @example [] */
  readonly without: readonly string[];
}

/** The leaderboards that began while the app runs. */
export class LiveLeaderboardsAnswer {
  readonly leaderboards: readonly LiveLeaderboard[];
}
