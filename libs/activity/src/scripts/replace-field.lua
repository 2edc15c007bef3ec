-- Replaces a field of a hash, if it is still what it was when it was read.
--
-- KEYS[1] hash
-- ARGV[1] field
-- ARGV[2] expected   what it was
-- ARGV[3] value      what it becomes; empty: the field goes
-- Returns 1, or 0 where it is something else by now.
-- Cost: O(1).
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
if ARGV[3] == '' then return redis.call('HDEL', KEYS[1], ARGV[1]) end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
