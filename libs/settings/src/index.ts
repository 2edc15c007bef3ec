export { digits, optional, type Schema, secret, text, value, whole } from '@laurel/activity/internals';
export { activityEnvironment, type ActivityEnvironment } from './activity-environment';
export { unreadVariables } from './known-variables';
export { settlementEnvironment } from './settlement-environment';
export { redisVariableNames } from './redis-variables';
export { dataDirFrom, readVariables, textOf, variableError, variableFault, type Variables } from './variables';
