// Generated from types and comments by `npm run generate`. Do not edit.
import { StreamQuery } from './stream.dto';
import { StreamedEntry } from './stream.responses';
import { StandingEvent } from './stream.responses';
import { Overtaker } from './stream.responses';
import { RankUser } from '../core/ranks/rank.responses';
import { OvertakenEvent } from './stream.responses';
import { AwayEvent } from './stream.responses';

Object.assign(StreamQuery, {
  _OPENAPI_METADATA_FACTORY: () => ({
    period: { type: String, required: false, enum: ["current"], default: "current", description: "A stream follows the current period."},
  }),
});

Object.assign(StreamedEntry, {
  _OPENAPI_METADATA_FACTORY: () => ({
    userId: { type: String, required: true, example: "42"},
    rank: { type: Number, required: true, nullable: true, minimum: 1, description: "Null: not on it.", example: 4},
    score: { type: Number, required: true, example: 17},
    reachedAt: { type: String, required: true, nullable: true, format: "date-time", description: "When the score was reached."},
  }),
});

Object.assign(StandingEvent, {
  _OPENAPI_METADATA_FACTORY: () => ({
    leaderboard: { type: String, required: true, example: "day"},
    partition: { type: String, required: false, description: "Of a partitioned leaderboard: which partition.", example: "java"},
    period: { type: String, required: true, description: "The key of the period.", example: "2026-11-20"},
    total: { type: Number, required: true, description: "How many users are on it.", example: 1234},
    entry: { type: StreamedEntry, required: true},
  }),
});

Object.assign(Overtaker, {
  _OPENAPI_METADATA_FACTORY: () => ({
    userId: { type: String, required: true, example: "7"},
    score: { type: Number, required: true, example: 19},
    user: { type: RankUser, required: true, nullable: true, description: "Null where no profile is known."},
  }),
});

Object.assign(OvertakenEvent, {
  _OPENAPI_METADATA_FACTORY: () => ({
    leaderboard: { type: String, required: true, example: "day"},
    partition: { type: String, required: false, description: "Of a partitioned leaderboard: which partition.", example: "java"},
    period: { type: String, required: true, description: "The key of the period.", example: "2026-11-20"},
    rank: { type: Number, required: true, minimum: 1, description: "One's own rank now.", example: 5},
    places: { type: Number, required: true, minimum: 1, description: "How many places were lost.", example: 1},
    by: { type: Overtaker, required: true, nullable: true, description: "Of those who passed the nearest. Null where one stood beyond the first hundred before: it is not known."},
  }),
});

Object.assign(AwayEvent, {
  _OPENAPI_METADATA_FACTORY: () => ({
    since: { type: String, required: true, format: "date-time", description: "Since when."},
  }),
});
