// Generated from types and comments by `npm run generate`. Do not edit.
import { FilledPeriod } from './leaderboards.responses';
import { LiveLeaderboard } from './leaderboards.responses';
import { LiveLeaderboardsAnswer } from './leaderboards.responses';
import { RulesRefusal } from './rules.responses';
import { ProblemFault } from '../core/errors/errors';
import { RulesAnswer } from './rules.responses';
import { RuleChange } from './rules.responses';
import { RulesChanged } from './rules.responses';

Object.assign(FilledPeriod, {
  _OPENAPI_METADATA_FACTORY: () => ({
    period: { type: String, required: true, example: "2027-03-01--2027-03-31"},
    from: { type: String, required: true, format: "date", description: "The first of its days whose ledgers were there; earlier ones are gone."},
  }),
});

Object.assign(LiveLeaderboard, {
  _OPENAPI_METADATA_FACTORY: () => ({
    name: { type: String, required: true, example: "spring"},
    since: { type: String, required: true, format: "date-time", description: "When it began, or last changed what counts on it."},
    endedAt: { type: String, required: true, nullable: true, format: "date-time", description: "When an operator ended it."},
    filledAt: { type: String, required: true, nullable: true, format: "date-time", description: "When it was filled from the ledgers. Null: it still is being filled."},
    periods: { type: FilledPeriod, required: true, isArray: true, description: "The open periods, once filled. Those that had closed stay empty."},
    without: { type: String, required: true, isArray: true, description: "The actions that counted nowhere before: what users did of them until `since` cannot be filled in.", example: []},
  }),
});

Object.assign(LiveLeaderboardsAnswer, {
  _OPENAPI_METADATA_FACTORY: () => ({
    leaderboards: { type: LiveLeaderboard, required: true, isArray: true},
  }),
});

Object.assign(RulesRefusal, {
  _OPENAPI_METADATA_FACTORY: () => ({
    at: { type: String, required: true, format: "date-time"},
    errors: { type: ProblemFault, required: true, isArray: true},
  }),
});

Object.assign(RulesAnswer, {
  _OPENAPI_METADATA_FACTORY: () => ({
    version: { required: true, nullable: true, type: "integer", description: "Ledgers store it with points; the same rules and limits have the same version. Null: not read from Redis yet.", example: 3},
    revision: { required: true, type: "integer", description: "Counts the sets of rules that were put in force for all instances; 0: none yet.", example: 7},
    since: { type: String, required: true, format: "date-time", description: "When they were put in force."},
    source: { type: String, required: true, enum: ["options","posted"], description: "Where they come from."},
    rules: { required: true, type: "array", items: { type: "object", additionalProperties: true}, description: "With every default filled in."},
    limits: { required: true, type: "array", items: { type: "object", additionalProperties: true}, description: "With every default filled in."},
    refused: { type: RulesRefusal, required: true, nullable: true, description: "The set that was refused since: rules that this instance cannot use."},
  }),
});

Object.assign(RuleChange, {
  _OPENAPI_METADATA_FACTORY: () => ({
    kind: { type: String, required: true, enum: ["rule","limit"]},
    name: { type: String, required: true, description: "The rule's action or the limit's name.", example: "praise"},
    before: { required: true, type: "object", additionalProperties: true, nullable: true, description: "Null: it is added."},
    after: { required: true, type: "object", additionalProperties: true, nullable: true, description: "Null: it is removed."},
  }),
});

Object.assign(RulesChanged, {
  _OPENAPI_METADATA_FACTORY: () => ({
    version: { required: true, nullable: true, type: "integer", description: "Ledgers store it with points; the same rules and limits have the same version. Null: not read from Redis yet.", example: 3},
    revision: { required: true, type: "integer", description: "Counts the sets of rules that were put in force for all instances; 0: none yet.", example: 7},
    since: { type: String, required: true, format: "date-time", description: "When they were put in force."},
    source: { type: String, required: true, enum: ["options","posted"], description: "Where they come from."},
    rules: { required: true, type: "array", items: { type: "object", additionalProperties: true}, description: "With every default filled in."},
    limits: { required: true, type: "array", items: { type: "object", additionalProperties: true}, description: "With every default filled in."},
    refused: { type: RulesRefusal, required: true, nullable: true, description: "The set that was refused since: rules that this instance cannot use."},
    changes: { type: RuleChange, required: true, isArray: true},
    dryRun: { type: Boolean, required: false, description: "Of a dry run: nothing has changed.", example: true},
  }),
});
