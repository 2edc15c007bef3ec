-- Writes members' entries into a sorted set of their new shard.
--
-- KEYS[1] state
-- KEYS[2] set
-- ARGV[1] expected  the state that the shard must have
-- ARGV[2] expireAt  when the set expires, in ms, 0: never
-- ARGV[3..] entries two a member: the score, empty: no entry; and the id
-- Returns 1; 0, with nothing done, if the shard is in another state.
-- Cost: O(log N) a member.
local call = redis.call
if call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
for i = 3, #ARGV, 2 do
  if ARGV[i] == '' then call('ZREM', KEYS[2], ARGV[i + 1]) else call('ZADD', KEYS[2], ARGV[i], ARGV[i + 1]) end
end
if ARGV[2] ~= '0' then call('PEXPIREAT', KEYS[2], ARGV[2]) end
return 1
