-- Takes some of what was written to a shard while it is copied: it is to be copied again.
--
-- KEYS[1] state
-- KEYS[2] written   the set of it
-- ARGV[1] expected  the state that the shard must have
-- ARGV[2] count     how many at most
-- Returns what was taken; the status LOST where the shard is in another state.
-- Cost: O(count).
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return redis.status_reply('LOST') end
return redis.call('SPOP', KEYS[2], ARGV[2])
