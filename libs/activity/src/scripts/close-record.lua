-- Closes an owner's open record, while it is that one; keeps the last of those that are closed.
--
-- KEYS[1] open      hash: owner -> id of the open record
-- KEYS[2] records   hash: id -> record
-- KEYS[3] listed    sorted set of the ids of open ones
-- KEYS[4] closed    sorted set of the ids of closed ones
-- ARGV[1] owner
-- ARGV[2] id
-- ARGV[3] record    as it is from now on
-- ARGV[4] score     by which it is listed
-- ARGV[5] kept      how many closed ones are kept: those of the highest scores
-- Returns 1, or 0 where another closed it before.
-- Cost: O(log N) of those listed, for it and for each that is dropped.
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[2])
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
redis.call('ZADD', KEYS[4], ARGV[4], ARGV[2])
for _, old in ipairs(redis.call('ZRANGE', KEYS[4], 0, -ARGV[5] - 1)) do
  redis.call('HDEL', KEYS[2], old)
  redis.call('ZREM', KEYS[4], old)
end
return 1
