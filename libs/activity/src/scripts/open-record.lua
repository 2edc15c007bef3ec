-- Adds and lists an owner's record, or finds the owner's open one: an owner has at most one open record.
--
-- KEYS[1] open      hash: owner -> id of the open record
-- KEYS[2] records   hash: id -> record
-- KEYS[3] listed    sorted set of ids
-- ARGV[1] owner
-- ARGV[2] id        of the new record
-- ARGV[3] record    the new one
-- ARGV[4] score     by which it is listed
-- Returns the owner's open record: the new one if there was none.
-- Cost: O(log N) of those listed.
local id = redis.call('HGET', KEYS[1], ARGV[1])
local known = id and redis.call('HGET', KEYS[2], id)
if known then return known end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
redis.call('ZADD', KEYS[3], ARGV[4], ARGV[2])
return ARGV[3]
