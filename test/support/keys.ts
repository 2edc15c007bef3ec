// Private: what tests damage, compare or count in Redis bears names that no package tells.
export { keys, ledgerStem } from '../../libs/leaderboard/src/keys/keys';
// Private: as above, of what operators do.
export { exclusionKeys } from '../../libs/activity/src/moderation/exclusions/exclusion-records';
