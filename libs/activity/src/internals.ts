// What the rooms of this repository use of the module, and the package does not have.
export { isTally } from './rules/tally';
export {
  allowedCacheMs,
  allowedClockSkewMs,
  allowedShards,
  checkedApiKey,
  checkedPrefix,
  checkedRedisUrl,
  checkedTimezone,
} from './options/allowed';
export { anyDuration, checkedWhole, optionError, optionFault } from './errors/check';
export { resolveOptions } from './options/resolve-options';
export { checkedDocument, readRulesFile, type RulesFile } from './rules/rules-option';
export { maxTraced } from './account/refusal';
export type { OutcomesAnswer } from './admin/outcomes.controller';
export type { SettlementAnswer } from './settlement/settlement-state.responses';
export type { AdjustmentsAnswer } from './moderation/adjustments/adjustment';
export { OneOf, Text, WholeNumber } from './http/query-fields';
