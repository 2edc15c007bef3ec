-- Puts a field into a hash, or drops it, while a field of another hash is what it is thought to be.
--
-- KEYS[1] condition   hash
-- KEYS[2] hash
-- ARGV[1] conditionField
-- ARGV[2] expected   what that field must be
-- ARGV[3] field
-- ARGV[4] value      what it becomes; empty: the field goes
-- Returns 1, or 0 where the other field is something else by now.
-- Cost: O(1).
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
if ARGV[4] == '' then
  redis.call('HDEL', KEYS[2], ARGV[3])
else
  redis.call('HSET', KEYS[2], ARGV[3], ARGV[4])
end
return 1
