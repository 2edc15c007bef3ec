-- Removes members of one shard of a lexical board, with their vectors.
-- KEYS[1] shard   sorted set
-- KEYS[2] vectors   hash: member -> vector
-- ARGV[1..] members
-- Returns how many were removed.
-- Cost: O(log N) a member.
local call = redis.call
local removed, left = 0, call('ZCARD', KEYS[1])
for i = 1, #ARGV do
  -- A key that becomes empty is not met again: on a Cluster a script that meets a missing key of a slot on its way is
  -- broken off halfway.
  if removed == left then break end
  local vector = call('HGET', KEYS[2], ARGV[i])
  if vector then
    removed = removed + call('ZREM', KEYS[1], vector .. ARGV[i])
    call('HDEL', KEYS[2], ARGV[i])
  end
end
return removed
