export { activityEnvironment, type ActivityEnvironment } from './activity-environment';
export { isOneSlipAway, unreadVariables } from './known-variables';
export { dataDirFrom, textOf, variableError, variableFault, wholeOf, type Variables } from './variables';
