-- Drops keys of a shard.
--
-- KEYS[1] state
-- KEYS[2..] keys
-- ARGV[1] expected  the state that the shard must have
-- Returns 1; 0, with nothing done, where the shard is in another state.
-- Cost: O(1) a key; the memory is freed by another thread.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
for i = 2, #KEYS do
  redis.call('UNLINK', KEYS[i])
end
return 1
