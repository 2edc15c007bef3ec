// Generated from types and comments by `npm run generate`. Do not edit.
import { RulesRefusal } from './rules.responses';
import { ProblemFault } from '../core/http/problem.responses';
import { RulesAnswer } from './rules.responses';
import { RuleChange } from './rules.responses';
import { RulesChanged } from './rules.responses';

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
