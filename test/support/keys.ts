// Private: what tests damage, compare or count in Redis bears names that no package tells.
export { settledKeys } from '../../libs/activity/src/settlement/settled-boards';
export { keys } from '../../libs/leaderboard/src/keys/keys';
// Private: as above, of the shard that a user lies in.
export { shardOf, shardTags } from '../../libs/leaderboard/src/keys/shard';
// Private: as above, of what operators do.
export { exclusionKeys } from '../../libs/activity/src/moderation/exclusions/exclusion';
